/** The script of a release that installs devtool: what it says, and what it writes and takes away. */
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { writeArchive } from '../../scripts/release/archive.ts'
import { targets } from '../../scripts/release/targets.ts'
import { type Filled, fill } from '../../scripts/release/text.ts'
import { installLine } from '../../src/domain/platform/releases.ts'
import { blocksIn, typedIn } from '../support/cli/doc-commands.ts'

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

type Given = {
  readonly machine?: readonly [system: string, processor: string]
  readonly args?: ReadonlyArray<string>
  readonly env?: Readonly<Record<string, string>>
  readonly release?: Partial<Filled>
}

/** On a machine whose loaders are below `folder`; the only files it can download are those of `folder`/published. */
const install = (folder: string, given: Given = {}) => {
  const { args = [], env = { HOME: join(folder, 'home') }, machine = ['Darwin', 'arm64'], release = {} } = given
  const tools = join(folder, 'tools')
  mkdirSync(tools, { recursive: true })
  writeProgram(join(tools, 'uname'), `[ "$1" = -s ] && echo ${machine[0]} || echo ${machine[1]}`)
  const copy = `cp "${folder}/published/\${last##*/}" "$file" 2>/dev/null`
  const said = 'echo "asked for $last" >&2'
  writeProgram(
    join(tools, 'curl'),
    `for last; do [ "$option" != --output ] || file=$last; option=$last; done\n${copy} || { ${said}; exit 22; }`,
  )
  const text = fill('install.sh', { ...filled, ...release }).replaceAll(/(?<= )\/lib(?=\w*\/ld-)/g, `${folder}/lib`)
  writeFileSync(join(folder, 'install.sh'), text)
  const path = { PATH: `${tools}:${process.env['PATH']}` }
  const words = [join(folder, 'install.sh'), ...args]
  const { status, stderr, stdout } = spawnSync('/bin/sh', words, { env: { ...path, ...env }, encoding: 'utf8' })
  return { status, said: stdout + stderr }
}

test('it downloads the archive of the platform, and leaves nothing behind when it cannot', ({ folder }) => {
  const ran = install(folder)
  assert.is(ran.status, 1)
  assert.match(ran.said, 'asked for https://example.com/1.2.3/devtool-1.2.3-darwin-arm64.tar.gz')
  assert.match(ran.said, 'cannot be downloaded')
  const left = execFileSync('find', [join(folder, 'home'), '-type', 'f'], { encoding: 'utf8' })
  assert.is(left, '')
})

test('it names systems without an archive', ({ folder }) => {
  assert.match(install(folder, { machine: ['FreeBSD', 'amd64'] }).said, 'error: there is no devtool for FreeBSD')
  assert.match(install(folder, { machine: ['Darwin', 'ppc'] }).said, 'error: there is no devtool for ppc: use npm')
})

test('on musl it names the image of the release, if there is one', ({ folder }) => {
  mkdirSync(join(folder, 'lib'))
  writeFileSync(join(folder, 'lib/ld-musl-x86_64.so.1'), '')
  const musl = 'error: this system has musl, and devtool needs glibc: use'
  assert.is(install(folder, { machine: ['Linux', 'x86_64'] }).said, `${musl} npm with a Node for musl\n`)
  const release = { image: 'example.com/devtool:1.2.3' }
  const { said } = install(folder, { machine: ['Linux', 'x86_64'], release })
  assert.is(said, `${musl} the container image example.com/devtool:1.2.3, or npm with a Node for musl\n`)
})

/** What `install` needs to install this version, with these man pages. */
const publish = (folder: string, version: string, pages: ReadonlyArray<string>): Given => {
  const from = join(folder, `files-${version}`)
  for (const part of ['bin', 'share/man/man1', 'share/doc/devtool']) mkdirSync(join(from, part), { recursive: true })
  writeProgram(join(from, 'bin/devtool'), `echo ${version}`)
  for (const page of pages) writeFileSync(join(from, 'share/man/man1', page), version)
  writeFileSync(join(from, 'share/doc/devtool/LICENSE'), version)
  mkdirSync(join(folder, 'published'), { recursive: true })
  const name = `devtool-${version}-darwin-arm64.tar.gz`
  const archive = join(folder, 'published', name)
  writeArchive(archive, from, 0)
  const sum = createHash('sha256').update(readFileSync(archive)).digest('hex')
  return { release: { version, sums: new Map([[name, sum]]) } }
}

const filesBelow = (folder: string): ReadonlyArray<string> =>
  execFileSync('find', ['.', '-type', 'f'], { cwd: folder, encoding: 'utf8' }).split('\n').filter(Boolean).toSorted()

test('an upgrade takes away what the new version does not have, and uninstalling all of it and nothing else', ({
  folder,
}) => {
  const prefix = join(folder, 'home/.local')
  const others = './share/man/man1/devtool-of-others.1'
  mkdirSync(join(prefix, 'share/man/man1'), { recursive: true })
  writeFileSync(join(prefix, others), '')
  const own = ['./bin/devtool', './share/doc/devtool/LICENSE', './share/doc/devtool/installed.txt']
  const after = (pages: ReadonlyArray<string>): ReadonlyArray<string> =>
    [...own, others, ...pages.map((page) => `./share/man/man1/${page}`)].toSorted()

  assert.match(install(folder, publish(folder, '1.2.3', ['devtool.1', 'devtool-gone.1'])).said, 'devtool 1.2.3 is ')
  assert.equal(filesBelow(prefix), after(['devtool.1', 'devtool-gone.1']))
  const next = publish(folder, '1.2.4', ['devtool.1', 'devtool-new.1'])
  assert.match(install(folder, next).said, 'devtool 1.2.4 is ')
  assert.equal(filesBelow(prefix), after(['devtool.1', 'devtool-new.1']))
  assert.is(install(folder, next).status, 0, 'the same version again')

  const { said, status } = install(folder, { args: ['--uninstall'] })
  assert.equal([status, filesBelow(prefix)], [0, [others]])
  assert.match(said, 'its contexts and settings in ~/.devtool are kept')
  assert.match(install(folder, { args: ['--uninstall'] }).said, `error: there is no devtool in ${prefix}`)
})

test('it needs no HOME where it is told where to install', ({ folder }) => {
  const env = { DEVTOOL_INSTALL_DIR: join(folder, 'opt'), DEVTOOL_HOME: '/srv/devtool' }
  const installed = install(folder, { ...publish(folder, '1.2.3', ['devtool.1']), env })
  assert.is(installed.status, 0, installed.said)
  const { said, status } = install(folder, { args: ['--uninstall'], env })
  assert.equal([status, filesBelow(env.DEVTOOL_INSTALL_DIR)], [0, []])
  assert.match(said, 'its contexts and settings in /srv/devtool are kept\n')
})

test('the command on the settings page fails when the script cannot be downloaded', ({ folder }) => {
  const line = installLine('file:///nonexistent')
  assert.is.not(spawnSync('/bin/sh', ['-c', line], { cwd: folder }).status, 0)
})

test('the tutorial and the settings page tell the same way to install', () => {
  const [typed] = blocksIn('docs/tutorial.md', '1. Install').map(typedIn)
  assert.is(typed?.join(' && '), installLine('https://example.com/devtool'))
})

test.run()
