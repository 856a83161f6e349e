import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { devtool, diskOf } from '../support/cli/cli.ts'

const web = 'services:\n  web:\n    image: nginx:1\n    ports: ["80:80"]\n  db:\n    image: postgres:16\n'
const named = `name: shop\n${web}`
const dry = ['deploy', '--dry-run', '--progress', 'quiet', '--namespace', 'demo', '--domain', 'example.com']
const kinds = (stdout: string): ReadonlyArray<string> =>
  [...stdout.matchAll(/^kind: (.*)$/gm)].map(([, kind = '']) => kind)

test('a dry run prints manifests and nothing else on stdout', async () => {
  const { status, stderr, stdout } = await devtool(dry, { files: { 'compose.yaml': named } })
  assert.equal([status, stderr], [0, ''])
  assert.equal(kinds(stdout), ['Deployment', 'Service', 'Ingress', 'Deployment', 'Service'])
  assert.match(stdout, 'namespace: demo')
  assert.match(stdout, 'web-demo.example.com')
})

test('the chosen file and open questions are reported on stderr', async () => {
  const argv = ['deploy', '--dry-run', '--loglevel', 'info']
  const { status, stderr, stdout } = await devtool(argv, { files: { 'compose.yaml': named } })
  assert.is(status, 0)
  assert.match(stderr, /^using compose\.yaml\n/)
  assert.match(stderr, 'note DT1202')
  assert.match(stderr, 'note DT1203')
  assert.not.match(stdout, 'namespace:')
  const given = await devtool(['deploy', '--dry-run', '-f', 'compose.yaml'], { files: { 'compose.yaml': named } })
  assert.not.match(given.stderr, 'using')
})

test('notes are only counted unless --loglevel asks for them, or findings are the result', async () => {
  const files = { 'compose.yaml': named }
  const { stderr } = await devtool(['deploy', '--dry-run'], { files })
  assert.is(stderr, 'using compose.yaml\n2 notes: --loglevel info shows them\n')
  const shown = await devtool(['deploy', '--dry-run', '--loglevel', 'debug'], { files })
  assert.not.match(shown.stderr, 'notes:')
  const checked = await devtool(['validate'], { files: { 'compose.yaml': `${named}    init: true\n` } })
  assert.match(checked.stderr, /^note DT/m)
  const json = await devtool(['deploy', '--dry-run', '-o', 'json', '--loglevel', 'error'], { files })
  assert.match(json.stderr, '"code":"DT1203"')
})

test('--loglevel error hides everything but errors, also before the command', async () => {
  const { stderr } = await devtool(['--loglevel', 'error', 'deploy', '--dry-run'], { files: { 'compose.yaml': named } })
  assert.is(stderr, '')
})

test('a command that fails prints no data', async () => {
  const { status, stderr, stdout } = await devtool(dry, {
    files: { 'compose.yaml': 'services:\n  web:\n    imag: x\n' },
  })
  assert.equal([status, stdout], [3, ''])
  assert.match(stderr, 'compose.yaml:3:5')
  assert.match(stderr, 'did you mean "image"?')
})

test('without --dry-run the cluster is changed', async () => {
  const { status, stderr } = await devtool(['deploy', '--yes'], { files: { 'compose.yaml': named } })
  assert.is(status, 0, stderr)
  assert.match(stderr, 'deployed shop to namespace')
})

test('a cluster that has not been changed from this machine before needs confirmation', async () => {
  const { status, stderr } = await devtool(['deploy'], { files: { 'compose.yaml': named } })
  assert.is(status, 5)
  assert.match(stderr, '--yes')
})

for (const [args, word] of [
  [['--dry-run=servr'], '--dry-run=server'],
  [['--dry-run', '--diff'], 'use only one of them'],
  [['--golden', 'g'], '--dry-run'],
  [['--dry-run', '--output', 'yml'], 'did you mean "yaml"'],
  [['--dry-run', '--timeout', '5'], '5m'],
  [['--dry-run', '--progress', 'x'], 'auto'],
  [['--dry-run', '--loglevel', 'inf'], '"info"'],
  [['--dry-run', '--var', 'A'], 'NAME=VALUE'],
  [['--dry-run', '--report', 'sarif'], 'FORM=FILE'],
  [['--dry-run', '--report', 'sarf=x'], '"sarif"'],
  [['--dry-run', '--update'], '--golden'],
  [['--dry-run', '--golden', 'g', '-o', 'json'], 'YAML'],
  [['--dry-run', '--golden', 'g', '-o', 'files=k8s'], 'YAML'],
  [['--dry-run', '-o', 'files='], 'files=FOLDER'],
  [['--dry-run=server', '-o', 'files=k8s'], '--output'],
  [['--dry-run', '--namespace', 'A b'], '--namespace'],
  [['--dry-run', '--domain', '-x.org'], '--domain'],
  [['--dry-run', '--registry', 'https://x'], 'HOST'],
  [['--dry-run', '--flie', 'x'], '"--file"'],
  [['--dry-run', '--strict=yes'], 'takes no value'],
  [['--dry-run', 'wbe'], 'web'],
] as const) {
  test(`deploy ${args.join(' ')} is a usage error`, async () => {
    const { status, stderr, stdout } = await devtool(['deploy', ...args], { files: { 'compose.yaml': named } })
    assert.equal([status, stdout], [2, ''], stderr)
    assert.match(stderr, word)
  })
}

test('flags without meaning in a dry run are accepted', async () => {
  const flags = ['--build', '--wait', '--timeout', '90s', '--dependencies', '--no-bash', '--yes', '--dry-run=client']
  const { status } = await devtool(['deploy', ...flags], { files: { 'compose.yaml': named } })
  assert.is(status, 0)
})

test('named services are printed with what they depend on', async () => {
  const files = { 'compose.yaml': `${named}  web2:\n    image: a\n    depends_on: [db]\n` }
  const { stdout } = await devtool([...dry, 'web2'], { files })
  assert.equal(
    [...stdout.matchAll(/^ {2}name: (.*)$/gm)].map(([, name]) => name),
    ['db', 'db', 'web2', 'web2'],
  )
})

test('json is one document with what is left out, findings are JSON lines', async () => {
  const files = {
    'compose.yaml': 'services:\n  web:\n    image: a\n    secrets: [pw]\nsecrets:\n  pw:\n    file: pw.txt\n',
    'pw.txt': 'hunter2',
  }
  const { stderr, stdout } = await devtool(['deploy', '--dry-run', '-o', 'json'], { files })
  const document = JSON.parse(stdout)
  assert.equal([document.schema, document.environment, document.files], [1, 'shop', ['compose.yaml']])
  assert.equal(document.omitted, [{ kind: 'Secret', name: 'pw' }])
  assert.equal(document.objects.map(({ kind }: { kind: string }) => kind).includes('Secret'), false)
  assert.equal(document.actions, [
    { type: 'apply', id: 'apply/Secret/pw', after: [], ref: { kind: 'Secret', name: 'pw' } },
    {
      type: 'apply',
      id: 'apply/Deployment/web',
      after: ['apply/Secret/pw'],
      ref: { kind: 'Deployment', name: 'web' },
    },
    { type: 'apply', id: 'apply/Service/web', after: [], ref: { kind: 'Service', name: 'web' } },
  ])
  for (const line of stderr.trim().split('\n')) assert.is(JSON.parse(line).severity, 'note')
})

test('values of Secrets are printed only when asked for', async () => {
  const files = {
    'compose.yaml': 'services:\n  web:\n    image: a\n    secrets: [pw]\nsecrets:\n  pw:\n    file: pw.txt\n',
    'pw.txt': 'hunter2',
  }
  const value = Buffer.from('hunter2').toString('base64')
  const without = await devtool(dry, { files })
  assert.match(without.stdout, /^# Secret pw is left out/m)
  assert.not.match(without.stdout, value)
  const shown = await devtool([...dry, '--show-secrets'], { files })
  assert.match(shown.stdout, value)
  assert.not.match(shown.stdout, '# Secret')
})

test('the plan is printed in stages', async () => {
  const { stdout } = await devtool([...dry, '-o', 'plan'], { files: { 'compose.yaml': named } })
  assert.match(stdout, /^stage 1\n/)
  assert.ok(stdout.endsWith('\n'))
})

test('warnings are errors under --strict', async () => {
  const files = { 'compose.yaml': 'services:\n  web:\n    image: a\n    mac_address: "02:42:ac:11:65:43"\n' }
  assert.is((await devtool(dry, { files })).status, 0)
  const { status, stdout } = await devtool([...dry, '--strict'], { files })
  assert.equal([status, stdout], [3, ''])
})

test('variables replace flags, also from .env, and flags take precedence', async () => {
  const files = {
    'compose.yaml': `${named}  app:\n    build: .\n`,
    '.env': 'DEVTOOL_NAMESPACE=staging\nDEVTOOL_DOMAIN=example.org\n',
  }
  const env = { DEVTOOL_REGISTRY: 'r.example.com/team' }
  const { stdout } = await devtool(['deploy', '--dry-run'], { files, env })
  assert.match(stdout, 'web-staging.example.org')
  assert.match(stdout, 'r.example.com/team/shop-app:dev')
  const flagged = await devtool(['deploy', '--dry-run', '-n', 'prod'], { files, env })
  assert.match(flagged.stdout, 'web-prod.example.org')
})

test('a bad value of a variable is a usage error that names it', async () => {
  const files = { 'compose.yaml': named }
  for (const name of ['DEVTOOL_COMPOSE_VOLUME_AFFINITY_ENABLED', 'DEVTOOL_CONFINED', 'DEVTOOL_NAMESPACE']) {
    const { status, stderr } = await devtool(['deploy', '--dry-run'], { files, env: { [name]: 'N O' } })
    assert.is(status, 2, name)
    assert.match(stderr, name)
  }
})

test('findings name standard input as the file', async () => {
  const read = (content: string) => devtool(['validate', '--file', '-'], { files: { '<stdin>': content } })
  assert.match((await read('services: { web: { imag: x } }')).stderr, '  <stdin>:1:20\n')
  assert.match((await read(web)).stderr, '<stdin>: valid')
  assert.not.match((await read('')).stderr, '- is empty')
  const listed = await devtool(['validate'], { files: { '<stdin>': web }, env: { COMPOSE_FILE: '-' } })
  assert.match(listed.stderr, '<stdin>: valid')
})

test('volume affinity can be disabled by a variable', async () => {
  const files = {
    'compose.yaml':
      'services:\n  a: { image: a, volumes: ["d:/d"] }\n  b: { image: b, volumes: ["d:/d"] }\nvolumes: { d: }\n',
  }
  assert.match((await devtool(dry, { files })).stdout, 'podAffinity')
  const off = [...dry, '--var', 'DEVTOOL_COMPOSE_VOLUME_AFFINITY_ENABLED=false']
  assert.not.match((await devtool(off, { files })).stdout, 'podAffinity')
})

test('profiles come from the flag or the variable', async () => {
  const files = { 'compose.yaml': `${named}  tools:\n    image: t\n    profiles: [debug, ops]\n` }
  const count = async (args: ReadonlyArray<string>, env = {}) =>
    kinds((await devtool([...dry, ...args], { files, env })).stdout).length
  assert.equal(
    [await count([]), await count(['--profile', 'x, ops']), await count([], { COMPOSE_PROFILES: 'debug' })],
    [5, 7, 7],
  )
})

test('with confinement nothing outside the project folder is read', async () => {
  const files = {
    'compose.yaml': 'services:\n  web:\n    image: a\n    env_file: ../secret.env\n',
    '../secret.env': 'A=1\n',
  }
  assert.is((await devtool(dry, { files })).status, 0)
  const { status, stderr } = await devtool(dry, { files, env: { DEVTOOL_CONFINED: 'true' } })
  assert.is(status, 3)
  assert.match(stderr, 'DT1008')
})

test('COMPOSE_FILE may be set in .env', async () => {
  const files = {
    '.env': 'COMPOSE_FILE=x/a.yaml:x/b.yaml\n',
    'x/a.yaml': named,
    'x/b.yaml': 'services: { c: { image: c } }\n',
  }
  const { status, stderr, stdout } = await devtool(['deploy', '--dry-run'], { files })
  assert.is(status, 0, stderr)
  assert.match(stderr, 'using x/a.yaml, x/b.yaml')
  assert.is(kinds(stdout).length, 7)
})

test('a golden file is written, compared, and shown with the differences and their causes', async () => {
  const disk = diskOf({ 'compose.yaml': named })
  const args = [...dry, '--golden', 'g.yaml']
  const missing = await devtool(args, { disk })
  assert.is(missing.status, 3)
  assert.match(missing.stderr, '--update')
  assert.equal(
    [(await devtool([...args, '--update'], { disk })).status, (await devtool(args, { disk })).status],
    [0, 0],
  )
  for (const [path, entry] of diskOf({ 'compose.yaml': named.replace('nginx:1', 'nginx:2') })) disk.set(path, entry)
  const { status, stdout } = await devtool(args, { disk })
  assert.is(status, 1)
  assert.match(stdout, /^-.*nginx:1"?\n\+.*nginx:2.* # from compose\.yaml:4$/m)
})

test('removed lines have no origin in the file', async () => {
  const kept = 'name: shop\nservices:\n  web:\n    image: nginx:1\n    ports: ["80:80"]\n'
  const gone = '  db:\n    image: postgres:16\n    volumes: ["v:/v"]\nvolumes:\n  v:\n'
  const disk = diskOf({ 'compose.yaml': kept + gone })
  const args = [...dry, '--golden', 'g.yaml']
  await devtool([...args, '--update'], { disk })
  for (const [path, entry] of diskOf({ 'compose.yaml': kept })) disk.set(path, entry)
  const { status, stdout } = await devtool(args, { disk })
  assert.is(status, 1)
  assert.match(stdout, /^-kind: PersistentVolumeClaim$/m)
  assert.not.match(stdout, '# from')
})

test('a golden file may have Windows line endings', async () => {
  const disk = diskOf({ 'compose.yaml': named })
  const args = [...dry, '--golden', 'g.yaml']
  await devtool([...args, '--update'], { disk })
  const kept = disk.get('g.yaml')
  const text = kept?._tag === 'File' ? Buffer.from(kept.bytes).toString().replaceAll('\n', '\r\n') : ''
  for (const [path, entry] of diskOf({ 'g.yaml': text })) disk.set(path, entry)
  assert.is((await devtool(args, { disk })).status, 0)
  for (const [path, entry] of diskOf({ 'g.yaml': text.replace('nginx:1', 'nginx:0') })) disk.set(path, entry)
  const { stdout } = await devtool(args, { disk })
  assert.equal([stdout.match(/^-/gm)?.length, stdout.match(/^\+/gm)?.length], [2, 2])
})

test('a golden file with a guessed name is refused', async () => {
  const { status, stderr } = await devtool([...dry, '--golden', 'g.yaml', '--update'], {
    files: { 'compose.yaml': web },
  })
  assert.is(status, 2)
  assert.match(stderr, 'DT2002')
})

test('control sequences of a golden file are not printed', async () => {
  const files = { 'compose.yaml': named, 'g.yaml': 'a: \u001b]0;x\u0007\u009b2J\n' }
  const { stdout } = await devtool([...dry, '--golden', 'g.yaml'], { files })
  assert.not.match(stdout, /[\u001b\u0007\u009b]/)
})

test('reports are written in a dry run', async () => {
  const disk = diskOf({ 'compose.yaml': 'services:\n  web:\n    imag: x\n' })
  const { status } = await devtool([...dry, '--report', 'sarif=a.json', '--report', 'codequality=b.json'], { disk })
  assert.is(status, 3)
  const read = (path: string): unknown => {
    const entry = disk.get(path)
    return JSON.parse(entry?._tag === 'File' ? Buffer.from(entry.bytes).toString() : '')
  }
  assert.match(JSON.stringify(read('a.json')), 'DT1004')
  assert.match(JSON.stringify(read('b.json')), 'DT1004')
})

test('colours follow the stream and the variables', async () => {
  const files = { 'compose.yaml': 'services:\n  web:\n    imag: x\n' }
  const isColoured = async (env: Record<string, string>, isTerminal: boolean): Promise<boolean> =>
    (await devtool(dry, { files, env, isTerminal: { stdout: false, stderr: isTerminal } })).stderr.includes('\u001b[')
  assert.is(await isColoured({}, false), false)
  assert.is(await isColoured({}, true), true)
  assert.is(await isColoured({ NO_COLOR: '1' }, true), false)
  assert.is(await isColoured({ TERM: 'dumb' }, true), false)
  assert.is(await isColoured({ CI: 'true' }, true), false)
  assert.is(await isColoured({ FORCE_COLOR: '1' }, false), true)
})

test('on GitHub, findings become annotations', async () => {
  const { stderr } = await devtool(dry, {
    files: { 'compose.yaml': 'services:\n  web:\n    imag: x\n' },
    env: { GITHUB_ACTIONS: 'true' },
  })
  assert.match(stderr, /^::error file=compose\.yaml,line=3/m)
})

test.run()
