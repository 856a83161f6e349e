/** The single executable of this machine: it does what the command does that npm installs. Needs `npm run build`. */
import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { benchFile } from '../../scripts/bench-files.ts'
import { root } from '../../scripts/command.ts'
import { fetchedFile } from '../../scripts/fetched.ts'
import { peUnsigned } from '../../scripts/release/formats.ts'
import { headerFindings } from '../../scripts/release/headers.ts'
import { fuse, hostSingle } from '../../scripts/release/single.ts'
import { hostName, nodeVersion, targetNamed, targets } from '../../scripts/release/targets.ts'

type Context = { single: string; folder: string }
const test = suite<Context>('single')

test.before(async (world) => {
  world.single = await hostSingle()
  world.folder = mkdtempSync(join(tmpdir(), 'single-'))
})
test.after(({ folder }) => rmSync(folder, { recursive: true, force: true }))

const npm = [process.execPath, join(root, 'dist/devtool.cjs')]

/** Without Node and without npm on the PATH. */
const run = (
  [program = '', ...first]: ReadonlyArray<string>,
  args: ReadonlyArray<string>,
  folder: string,
  more = {},
) => {
  const env = { PATH: '/usr/bin:/bin', HOME: folder, XDG_CACHE_HOME: join(folder, 'cache'), ...more }
  const all = [...first, ...args]
  const { status, stderr, stdout } = spawnSync(program, all, { cwd: folder, env, encoding: 'utf8', timeout: 60_000 })
  return { status, stdout, stderr }
}

test('it prints what the files of npm print', ({ folder, single }) => {
  const examples = readdirSync(join(root, 'examples')).map((name) => join(root, 'examples', name))
  const files = examples
    .flatMap((example) => ['compose.yaml', 'devtool.yml'].map((name) => join(example, name)))
    .filter((file) => existsSync(file))
  assert.ok(files.length >= 5)
  const lines = [
    ['version'],
    ['--version'],
    ['help'],
    ['up', '--help'],
    ['help', 'environment'],
    ['explain', 'DT1012'],
    ['schema'],
    ...['bash', 'zsh', 'fish', 'powershell'].map((shell) => ['completion', shell]),
    ['__complete', '--', 'deploy', '--'],
    ['nosuch'],
    ...files.map((file) => ['deploy', '--dry-run', '--file', file]),
    ...files.map((file) => ['validate', '--file', file]),
  ]
  for (const line of lines) {
    const expected = run(npm, line, folder)
    assert.ok(expected.stdout + expected.stderr !== '', line.join(' '))
    assert.equal(run([single], line, folder), expected, line.join(' '))
  }
})

test('init of the single file writes the same devtool.yml', ({ folder, single }) => {
  const written = [[single], npm].map((program, index) => {
    const project = join(folder, `init-${index}/shop`)
    mkdirSync(project, { recursive: true })
    writeFileSync(join(project, 'compose.yaml'), 'name: shop\nservices:\n  web:\n    image: nginx\n')
    assert.is(run(program, ['init'], project).status, 0)
    return readFileSync(join(project, 'devtool.yml'), 'utf8')
  })
  assert.is(written[0], written[1])
})

test('the single file reports its version and platform', ({ folder, single }) => {
  const { node, platform, version } = JSON.parse(run([single], ['version', '-o', 'json'], folder).stdout)
  assert.equal({ node, platform }, { node: nodeVersion, platform: hostName })
  assert.is(`${version}\n`, run([single], ['version'], folder).stdout)
})

test('the single file contains code caches for most runs, and writes none', ({ folder, single }) => {
  const cache = join(folder, 'own')
  const file = join(root, 'examples/vote/compose.yaml')
  assert.is(run([single], ['deploy', '--dry-run', '--file', file], folder, { XDG_CACHE_HOME: cache }).status, 0)
  assert.not.ok(existsSync(join(cache, 'devtool')))
})

test('the Node inside leaves code of a run that soon ends as it is, instead of optimising it', ({ folder }) => {
  const file = join(folder, 'large.yaml')
  writeFileSync(file, benchFile(100))
  const [, program = ''] = npm
  const traced = [fetchedFile({ ...targetNamed(hostName), version: nodeVersion }, 'bin/node'), '--trace-opt', program]
  const { status, stdout } = run(traced, ['deploy', '--dry-run', '--file', file], folder)
  assert.is(status, 0)
  const optimised = stdout.split('[completed optimizing ').length - 1
  assert.ok(optimised > 0 && optimised < 15, `${optimised} functions`)
})

test('the single file does not contain the path of its build folder', ({ single }) => {
  assert.not.ok(readFileSync(single).includes(join(root, 'dist')))
})

test('a command that calls devtool reaches the same executable', ({ folder, single }) => {
  const config = join(folder, 'kubeconfig')
  assert.is(
    run([single], ['kubeconfig', '--kubeconfig', config], folder).status,
    run(npm, ['kubeconfig', '--kubeconfig', config], folder).status,
  )
  const link = join(folder, 'linked')
  symlinkSync(single, link)
  assert.is(run([link], ['version'], folder).status, 0)
})

test('the executable has the format of its platform, and those of others are told apart', ({ single }) => {
  const file = readFileSync(single)
  const own = targetNamed(hostName)
  assert.equal(headerFindings(own, file), [])
  for (const target of targets) {
    if (target !== own) assert.is.not(headerFindings(target, file).length, 0, target.name)
  }
})

const wrong = 'it has the signature of another content'
const nodeOf = (name: string): Buffer => {
  const target = targetNamed(name)
  return readFileSync(fetchedFile({ ...target, version: nodeVersion }, target.node))
}

test('a Node without a blob is found, whatever it says of itself', () => {
  for (const target of targets) {
    const node = nodeOf(target.name)
    const signature = target.name.startsWith('linux-') ? [] : [wrong]
    const findings = ['it has no blob', ...signature]
    assert.equal(headerFindings(target, node), ['Node will not look for a blob in it', ...findings], target.name)
    node.write(`${fuse}:1`, node.indexOf(`${fuse}:0`))
    assert.equal(headerFindings(target, node), findings, target.name)
  }
})

test('the signature of Node for Windows is taken away before something is put into it', () => {
  const target = targetNamed('win32-x64')
  const node = nodeOf(target.name)
  assert.ok(headerFindings(target, node).includes(wrong))
  const unsigned = peUnsigned(node)
  assert.not.ok(headerFindings(target, unsigned).includes(wrong))
  assert.ok(node.length - unsigned.length > 1_000, 'the signature itself is gone')
})

test.run()
