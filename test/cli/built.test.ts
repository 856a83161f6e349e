/** The command as it is installed: pipes, signals, statuses. Needs `npm run build`. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { benchFile } from '../../scripts/bench-files.ts'
import { root } from '../../scripts/command.ts'
import { installedWords, runInstalled as run } from '../support/cli/installed.ts'
import { shellQuoted } from '../support/process/shell.ts'

type Context = { folder: string }

const test = suite<Context>('built')

test.before((world) => {
  world.folder = mkdtempSync(join(tmpdir(), 'built-'))
  writeFileSync(join(world.folder, 'large.yaml'), benchFile(4500))
  writeFileSync(join(world.folder, 'compose.yaml'), 'name: shop\nservices:\n  web:\n    image: nginx\n')
})
test.after(({ folder }) => rmSync(folder, { recursive: true, force: true }))

test('version and help are answered by the loader', async ({ folder }) => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const printed = { status: 0, stdout: `${version}\n`, stderr: '' }
  for (const args of [['version'], ['--version']]) assert.equal(await run(folder, args), printed)
  const help = await run(folder, ['--help'])
  assert.equal([help.status, help.stdout.includes('deploy')], [0, true])
  const described = (await run(folder, ['help', 'deploy'])).stdout
  assert.equal(readdirSync(folder).includes('cache'), false, 'nothing else was loaded')
  for (const args of [
    ['--loglevel', 'error', 'version'],
    ['version', '--output', 'text'],
  ]) {
    assert.equal(await run(folder, args), printed)
  }
  assert.is((await run(folder, ['--loglevel', 'debug', '--help'])).stdout, help.stdout)
  assert.is((await run(folder, ['deploy', '--file', 'x', '--help'])).stdout, described)
})

test('version -o json names the commit that was built', async ({ folder }) => {
  const { stdout } = await run(folder, ['version', '-o', 'json'])
  const { commit = '', date } = JSON.parse(stdout)
  const built = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' })
  assert.is(commit.replace(/-dirty$/, ''), built.trim())
  assert.match(date, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
})

test('more than 13 MB arrive complete in a slow pipe', async ({ folder }) => {
  const args = ['deploy', '--dry-run', '--progress', 'quiet', '-f', 'large.yaml']
  const { status, stdout } = await run(folder, args, { shell: '"$0" "$@" | { sleep 1; cat; }' })
  assert.is(status, 0)
  assert.ok(stdout.length > 13_000_000, String(stdout.length))
  const toFile = await run(folder, args, { shell: '"$0" "$@" > out.yaml' })
  assert.is(toFile.status, 0)
  assert.ok(readFileSync(join(folder, 'out.yaml'), 'utf8') === stdout)
})

test('a command ends even if something is left open, after its output has been read', async ({ folder }) => {
  writeFileSync(join(folder, 'left-open.cjs'), 'setInterval(() => {}, 1000)')
  const env = { NODE_OPTIONS: '--require=./left-open.cjs' }
  const args = ['deploy', '--dry-run', '--progress', 'quiet', '-f', 'large.yaml']
  const { status, stdout } = await run(folder, args, { env, shell: '"$0" "$@" | { sleep 6; cat; }' })
  assert.is(status, 0)
  assert.ok(stdout.length > 13_000_000, String(stdout.length))
})

test('a provider of credentials from before plugins is still asked', async ({ folder }) => {
  writeFileSync(join(folder, 'token.json'), '{"credential": {"token": "t", "expiry": "2100-01-01T00:00:00Z"}}')
  const config = {
    'cmd-path': '/bin/cat',
    'cmd-args': join(folder, 'token.json'),
    'token-key': '{.credential.token}',
    'expiry-key': '{.credential.expiry}',
  }
  const user = { name: 'old', user: { 'auth-provider': { name: 'gcp', config } } }
  const kubeconfig = {
    'current-context': 'old',
    contexts: [{ name: 'old', context: { cluster: 'old', user: 'old' } }],
    clusters: [{ name: 'old', cluster: { server: 'http://127.0.0.1:1' } }],
    users: [user],
  }
  writeFileSync(join(folder, 'old.yaml'), JSON.stringify(kubeconfig))
  const { status, stderr } = await run(folder, ['list', '--kubeconfig', 'old.yaml'])
  assert.equal([status, stderr.includes('DT3010')], [8, false])
})

test('a closed pipe ends the command quietly', async ({ folder }) => {
  const shell = '{ "$0" "$@"; echo "status $?" >&2; } | head -n 1'
  const args = ['deploy', '--dry-run', '--loglevel', 'error', '-f', 'large.yaml']
  const { stderr, stdout } = await run(folder, args, { shell })
  assert.is(stdout.split('\n').length, 2)
  assert.is(stderr, 'status 0\n')
})

/** Node looks for `--env-file` in the arguments of programs, too: what it makes of the file must not be seen. */
test('--env-file has the documented syntax, and the shell takes precedence over it', async ({ folder }) => {
  writeFileSync(join(folder, 'my.env'), 'TAG=${BASE}-file\nNAME=file\nDEVTOOL_NAMESPACE=${BASE}\n')
  writeFileSync(join(folder, 'tag.yaml'), 'name: shop\nservices:\n  web:\n    image: "${NAME}:${TAG}"\n')
  const env = { BASE: 'one', NAME: 'shell' }
  for (const flag of [['--env-file', 'my.env'], ['--env-file=my.env']]) {
    const args = ['deploy', '--dry-run', '-f', 'tag.yaml', ...flag]
    const { status, stderr, stdout } = await run(folder, args, { env })
    assert.is(status, 0, stderr)
    assert.match(stdout, 'image: shell:one-file')
    assert.match(stdout, 'namespace: one')
    const given = await run(folder, [...args, '--var', 'NAME=var'], { env })
    assert.match(given.stdout, 'image: var:one-file')
  }
})

test('output to a full disk is an error', async ({ folder }) => {
  if (!existsSync('/dev/full')) return
  const { status, stderr } = await run(folder, ['deploy', '--dry-run'], { shell: '"$0" "$@" > /dev/full' })
  assert.is(status, 1)
  assert.match(stderr, 'DT2006')
})

test('an interrupt ends the command with status 130', async ({ folder }) => {
  const { status } = await run(folder, ['deploy', '--dry-run', '-f', '-'], { interrupt: true })
  assert.is(status, 130)
})

test('standard input is read', async ({ folder }) => {
  const { status, stdout } = await run(folder, ['deploy', '--dry-run', '-f', '-'], {
    input: 'services: { api: { image: a } }',
  })
  assert.is(status, 0)
  assert.match(stdout, 'name: api')
})

for (const [args, status] of [
  [['deploy', '--dry-run'], 0],
  [['deploy', '--dry-run', '-f', 'missing.yaml'], 3],
  [['deploy', '--kubeconfig', 'missing.yaml'], 3],
  [['preview', 'list', '--context', 'https://p.test'], 4],
  [['nothing'], 2],
] as const) {
  test(`devtool ${args.join(' ')} ends with ${status}`, async ({ folder }) => {
    assert.is((await run(folder, args)).status, status)
  })
}

test('bash completes', async ({ folder }) => {
  if (!existsSync('/bin/bash')) return
  const script = `devtool() { ${installedWords} "$@"; }
    source <(devtool completion bash)
    try() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); _devtool; echo "\${COMPREPLY[*]}"; }
    try devtool dep; try devtool deploy w; try devtool deploy --output = j`
  const { stdout } = await run(folder, [], { shell: `exec bash -c ${shellQuoted(script)}` })
  assert.is(stdout, 'deploy\nweb\njson\n')
})

test.run()
