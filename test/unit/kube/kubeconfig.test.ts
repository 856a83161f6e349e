/** Kubeconfig files: merged, connected to and changed as kubectl does it. */
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { open, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { memoryClock, settle } from '../../memory/clock.ts'
import { realClusters } from '../../support/e2e/real-cluster.ts'
import { staysAlive } from '../../support/process/alive.ts'

type Context = { folder: string }

const test = suite<Context>('kubeconfig')

test.before.each((context) => {
  context.folder = mkdtempSync(join(tmpdir(), 'kubeconfig-'))
})
test.after.each(({ folder }) => rmSync(folder, { recursive: true }))

const write = (folder: string, name: string, text: string): string => {
  const path = join(folder, name)
  writeFileSync(path, text, { mode: 0o600 })
  return path
}

const entries = (name: string, server: string, user = '{token: t}'): string => `apiVersion: v1
kind: Config
current-context: ${name}
clusters:
- {name: ${name}, cluster: {server: "${server}"}}
users:
- {name: ${name}, user: ${user}}
contexts:
- name: ${name}
  context: {cluster: ${name}, user: ${name}, namespace: of-${name}}
`

const codeOf = (result: E.Either<{ readonly code: string; readonly message: string }, unknown>): string =>
  E.isLeft(result) ? `${result.left.code} ${result.left.message}` : 'done'

test('kubeconfig files are merged, the first entry of a name wins, and missing files are skipped', async ({
  folder,
}) => {
  const a = write(folder, 'a', entries('one', 'https://a'))
  const b = write(folder, 'b', entries('one', 'https://b'))
  const c = write(folder, 'c', entries('two', 'https://c'))
  const clusters = realClusters({ KUBECONFIG: [a, join(folder, 'none'), b, c].join(':') })
  const read = await clusters.kubeconfig()()
  assert.equal(E.isRight(read) ? read.right : read.left, {
    files: [a, b, c],
    current: 'one',
    contexts: [
      { name: 'one', namespace: 'of-one', server: 'https://a' },
      { name: 'two', namespace: 'of-two', server: 'https://c' },
    ],
  })
})

test('a pipe is read once, and devices are not read', async ({ folder }) => {
  const pipe = join(folder, 'pipe')
  execFileSync('mkfifo', [pipe])
  const clusters = realClusters({})
  const [read] = await Promise.all([clusters.kubeconfig(pipe)(), writeFile(pipe, entries('one', 'https://a'))])
  assert.is(E.isRight(read) ? read.right.current : codeOf(read), 'one')
  assert.equal(await clusters.kubeconfig(pipe)(), read)
  symlinkSync('/dev/zero', join(folder, 'link'))
  for (const device of ['/dev/zero', '/dev/tty', join(folder, 'link'), folder]) {
    assert.match(codeOf(await clusters.kubeconfig(device)()), /^DT3008 .*(?:not a regular file|a folder)/)
  }
})

test('waiting for a silent pipe ends when the run is interrupted', async ({ folder }) => {
  const pipe = join(folder, 'pipe')
  execFileSync('mkfifo', [pipe])
  const interrupted = new AbortController()
  const reading = realClusters({}, { interruption: () => interrupted.signal }).kubeconfig(pipe)()
  interrupted.abort()
  assert.match(codeOf(await reading), /^DT3008 .*: interrupted$/)
})

test('a pipe whose writer does not finish is given up after 10 s', async ({ folder }) => {
  const clock = memoryClock()
  for (const [name, said] of [
    ['silent', ''],
    ['unfinished', entries('one', 'https://a')],
  ] as const) {
    const pipe = join(folder, name)
    execFileSync('mkfifo', [pipe])
    const reading = realClusters({}, { clock }).kubeconfig(pipe)()
    const isDone = reading.then(() => true)
    const writer = await open(pipe, 'w')
    await writer.write(said)
    await clock.advance(9_999)
    assert.is(await Promise.race([isDone, settle().then(() => false)]), false)
    await clock.advance(1)
    assert.match(codeOf(await reading), /^DT3008 .*: its end was not reached within 10 s$/)
    await writer.close()
  }
})

test('the null device is an empty kubeconfig', async () => {
  const clusters = realClusters({ KUBECONFIG: '/dev/null' })
  const read = await clusters.kubeconfig()()
  assert.equal(E.isRight(read) ? read.right : codeOf(read), { files: ['/dev/null'], contexts: [] })
  assert.match(codeOf(await clusters.connect({ context: 'a' })()), /^DT3009/)
})

test('aliases cannot make a small file large', async ({ folder }) => {
  const lists = Array.from({ length: 9 }, (_, i) => `a${i + 1}: &a${i + 1} [${Array(9).fill(`*a${i}`).join(', ')}]\n`)
  const bomb = write(folder, 'bomb', `a0: &a0 [x]\n${lists.join('')}`)
  assert.match(codeOf(await realClusters({}).kubeconfig(bomb)()), /^DT3008 .*: it is too large$/)
})

test('10,000 contexts are read', async ({ folder }) => {
  const many = Array.from({ length: 10_000 }, (_, i) => `- {name: c${i}, context: {cluster: c${i}, namespace: n}}\n`)
  const clusters = many.map((_, i) => `- {name: c${i}, cluster: {server: "https://c${i}"}}\n`)
  const file = write(folder, 'many', `contexts:\n${many.join('')}clusters:\n${clusters.join('')}`)
  const read = await realClusters({}).kubeconfig(file)()
  assert.is(E.isRight(read) ? read.right.contexts.length : codeOf(read), 10_000)
})

test('missing, damaged and unknown entries are named without secrets', async ({ folder }) => {
  const none = join(folder, 'none')
  const broken = write(folder, 'broken', 'users:\n- {name: a, user: {token: s3cret, : }\n  ]')
  const list = write(folder, 'list', '- 1\n')
  const good = write(folder, 'good', entries('one', 'https://a'))
  const odd = write(folder, 'odd', entries('odd', 'ftp://a').replace('user: odd', 'user: gone'))
  const clusters = realClusters({ KUBECONFIG: none })
  assert.is(codeOf(await clusters.kubeconfig()()), `DT3008 no kubeconfig found: ${none} does not exist`)
  const told = codeOf(await clusters.kubeconfig(broken)())
  assert.match(told, /^DT3008 kubeconfig .*broken cannot be read in line \d, column \d+: /)
  assert.not.match(told, 's3cret')
  assert.match(codeOf(await clusters.kubeconfig(list)()), /^DT3008 .*it is not a mapping/)
  assert.match(codeOf(await clusters.kubeconfig(folder)()), /^DT3008 .*it is a folder/)
  assert.match(codeOf(await clusters.connect({ file: good, context: 'on' })()), /^DT3009 .* no context "on"/)
  assert.match(codeOf(await clusters.connect({ file: odd, context: 'odd' })()), /^DT3008 .* no valid server/)
  assert.match(codeOf(await clusters.select({ file: good, context: 'two' })()), /^DT3009 /)
})

test('an unchecked certificate and a connection without TLS are warnings', async ({ folder }) => {
  const text = entries('one', 'https://a').replace('"https://a"', '"https://a", insecure-skip-tls-verify: true')
  const file = write(folder, 'a', text)
  const plain = write(folder, 'b', entries('one', 'http://example.test'))
  const here = write(folder, 'c', entries('one', 'http://127.0.0.1:1'))
  const found = await Promise.all(
    [file, plain, here].map(async (path) => {
      const connected = await realClusters({}).connect({ file: path, context: 'one' })()
      return E.isRight(connected) ? connected.right.warnings.map(({ code }) => code) : [connected.left.message]
    }),
  )
  assert.equal(found, [['DT3011'], ['DT3011'], []])
})

const plugin = (folder: string, body: string): string => {
  const path = join(folder, 'plugin.sh')
  writeFileSync(path, `#!/bin/sh\n${body}\n`)
  chmodSync(path, 0o755)
  return path
}

const withPlugin = (command: string): string =>
  entries('one', 'https://a', `{exec: {apiVersion: client.authentication.k8s.io/v1, command: "${command}", args: [x]}}`)

test('the relative path of a credential plugin is relative to the kubeconfig', async ({ folder }) => {
  mkdirSync(join(folder, 'bin'))
  plugin(
    join(folder, 'bin'),
    `echo '{"kind":"ExecCredential","status":{"token":"t"}}'; echo "$KUBERNETES_EXEC_INFO $1" > ${folder}/seen`,
  )
  const file = write(folder, 'a', withPlugin('bin/plugin.sh'))
  assert.is(codeOf(await realClusters({ PATH: process.env['PATH'] }).connect({ file, context: 'one' })()), 'done')
  const seen = readFileSync(join(folder, 'seen'), 'utf8')
  assert.match(seen, '"apiVersion":"client.authentication.k8s.io/v1"')
  assert.match(seen, / x$/m)
})

for (const [body, expected] of [
  ['echo hello', /did not print an ExecCredential/],
  ["echo '{}'", /did not print an ExecCredential/],
  ["echo 's3cret token: log in first' | tr -d s >&2; exit 3", /failed with status 3: 3cret token: log in firt/],
  ['echo \'{"kind":"ExecCredential","status":{}}\'', /did not print an ExecCredential/],
] as const) {
  test(`a credential plugin that does \`${body}\` is reported`, async ({ folder }) => {
    const file = write(folder, 'a', withPlugin(plugin(folder, body)))
    const told = codeOf(await realClusters({ PATH: process.env['PATH'] }).connect({ file, context: 'one' })())
    assert.match(told, /^DT3010 cannot get credentials for context "one": the credential plugin /)
    assert.match(told, expected)
  })
}

test('waiting for a credential plugin ends when the run is interrupted', async ({ folder }) => {
  const file = write(folder, 'a', withPlugin(plugin(folder, `echo "$$" > ${folder}/pid; exec /bin/sleep 600`)))
  const interrupted = new AbortController()
  const clusters = realClusters({ PATH: process.env['PATH'] }, { interruption: () => interrupted.signal })
  const connecting = clusters.connect({ file, context: 'one' })()
  interrupted.abort()
  assert.match(codeOf(await connecting), /^DT3010 .* was interrupted$/)
})

test('a credential plugin is killed with everything it started when time is up', async ({ folder }) => {
  const ready = join(folder, 'ready')
  execFileSync('mkfifo', [ready])
  const body = `/bin/sleep 600 >/dev/null & echo "$!" > ${ready}; wait`
  const file = write(folder, 'a', withPlugin(plugin(folder, body)))
  const late = new AbortController()
  const connecting = realClusters({ PATH: process.env['PATH'] }).connect({ file, context: 'one' }, late.signal)()
  const pid = Number(await readFile(ready, 'utf8'))
  late.abort('timeout')
  const told = codeOf(await connecting)
  const isLeft = await staysAlive(pid)
  if (isLeft) process.kill(pid, 'SIGKILL')
  assert.equal([told, isLeft], ['DT3007 getting credentials for context "one" was interrupted', false])
})

test('a missing credential plugin is reported', async ({ folder }) => {
  const file = write(folder, 'a', withPlugin('devtool-no-such-plugin'))
  const told = codeOf(await realClusters({}).connect({ file, context: 'one' })())
  assert.match(told, /^DT3010 .*"devtool-no-such-plugin" is not installed/)
})

const commented = `# mine
apiVersion: v1
preferences: {}   # nothing
current-context: one # the first
contexts:
  - context:
      user: one   # me
      cluster: one
    name: one
  - name: two
    context: {cluster: one, user: 'one'}
x-unknown: {a: 1}
users: [{name: one, user: {token: "s3cret"}}]
clusters: [{name: one, cluster: {server: 'https://a'}}]
`

test('selecting a context changes nothing else and keeps the file mode', async ({ folder }) => {
  const file = write(folder, 'a', commented)
  chmodSync(file, 0o640)
  const clusters = realClusters({ KUBECONFIG: file })
  assert.equal(await clusters.select({ context: 'two', namespace: 'shop' })(), E.right(file))
  const expected = commented
    .replace('current-context: one', 'current-context: two')
    .replace('{cluster: one, user', '{namespace: shop, cluster: one, user')
  assert.is(readFileSync(file, 'utf8'), expected)
  assert.is(statSync(file).mode & 0o777, 0o640)
  await clusters.select({ context: 'one', namespace: 'no' })()
  const again = expected
    .replace('current-context: two', 'current-context: one')
    .replace('      user: one   # me', '      namespace: "no"\n      user: one   # me')
  assert.is(readFileSync(file, 'utf8'), again)
  await clusters.select({ context: 'one', namespace: 'other' })()
  assert.is(readFileSync(file, 'utf8'), again.replace('"no"', '"other"'))
})

test('a kubeconfig in JSON stays JSON', async ({ folder }) => {
  const json = {
    'current-context': '',
    contexts: [{ name: 'one', context: { cluster: 'one' } }],
    clusters: [{ name: 'one', cluster: { server: 'https://a' } }],
  }
  const file = write(folder, 'a', JSON.stringify(json))
  await realClusters({ KUBECONFIG: file }).select({ context: 'one', namespace: 'shop' })()
  const context = { namespace: 'shop', cluster: 'one' }
  assert.equal(JSON.parse(readFileSync(file, 'utf8')), {
    ...json,
    'current-context': 'one',
    contexts: [{ name: 'one', context }],
  })
})

test('each setting is changed in the file that contains it', async ({ folder }) => {
  const a = write(folder, 'a', 'current-context: one\n')
  const b = write(folder, 'b', entries('two', 'https://b').replace('current-context: two\n', ''))
  const clusters = realClusters({ KUBECONFIG: `${a}:${b}` })
  assert.equal(await clusters.select({ context: 'two', namespace: 'shop' })(), E.right(a))
  assert.is(readFileSync(a, 'utf8'), 'current-context: two\n')
  assert.match(readFileSync(b, 'utf8'), 'namespace: shop}')
})

test.run()
