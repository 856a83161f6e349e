/** The script of a release that installs devtool: what it says, and what it writes and takes away. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { targets } from '../../scripts/release/targets.ts'
import { fill } from '../../scripts/release/text.ts'

type World = { folder: string }
const test = suite<World>('install script')
test.before.each((world) => {
  world.folder = mkdtempSync(join(tmpdir(), 'install-'))
})
test.after.each(({ folder }) => rmSync(folder, { recursive: true, force: true }))

const filled = {
  version: '1.2.3',
  url: 'https://example.com/1.2.3',
  image: '',
  sums: new Map(targets.map(({ archive, name }) => [`devtool-1.2.3-${name}.${archive}`, '0'.repeat(64)])),
}

const writeProgram = (path: string, lines: string): void =>
  writeFileSync(path, `#!/bin/sh\n${lines}\n`, { mode: 0o755 })

/** On a machine that `uname` describes, whose loaders are below `folder`, and which reaches nothing. */
const install = (folder: string, [system, machine]: readonly [string, string], image = '') => {
  const tools = join(folder, 'tools')
  mkdirSync(tools, { recursive: true })
  writeProgram(join(tools, 'uname'), `[ "$1" = -s ] && echo ${system} || echo ${machine}`)
  writeProgram(join(tools, 'curl'), 'for last; do :; done\necho "asked for $last" >&2\nexit 22')
  const text = fill('install.sh', { ...filled, image }).replaceAll(/(?<= )\/lib(?=\w*\/ld-)/g, `${folder}/lib`)
  writeFileSync(join(folder, 'install.sh'), text)
  const env = { PATH: `${tools}:${process.env['PATH']}`, HOME: join(folder, 'home') }
  const { status, stderr, stdout } = spawnSync('/bin/sh', [join(folder, 'install.sh')], { env, encoding: 'utf8' })
  return { status, said: stdout + stderr }
}

test('it downloads the archive of the platform, and leaves nothing behind when it cannot', ({ folder }) => {
  const ran = install(folder, ['Darwin', 'arm64'])
  assert.is(ran.status, 1)
  assert.match(ran.said, 'asked for https://example.com/1.2.3/devtool-1.2.3-darwin-arm64.tar.gz')
  assert.match(ran.said, 'cannot be downloaded')
  const left = execFileSync('find', [join(folder, 'home'), '-type', 'f'], { encoding: 'utf8' })
  assert.is(left, '')
})

test('it names systems without an archive', ({ folder }) => {
  assert.match(install(folder, ['FreeBSD', 'amd64']).said, 'error: there is no devtool for FreeBSD')
  assert.match(install(folder, ['Darwin', 'ppc']).said, 'error: there is no devtool for ppc: use npm')
})

test('on musl it names the image of the release, if there is one', ({ folder }) => {
  mkdirSync(join(folder, 'lib'))
  writeFileSync(join(folder, 'lib/ld-musl-x86_64.so.1'), '')
  const musl = 'error: this system has musl, and devtool needs glibc: use'
  assert.is(install(folder, ['Linux', 'x86_64']).said, `${musl} npm with a Node for musl\n`)
  const { said } = install(folder, ['Linux', 'x86_64'], 'example.com/devtool:1.2.3')
  assert.is(said, `${musl} the container image example.com/devtool:1.2.3, or npm with a Node for musl\n`)
})

test.run()
