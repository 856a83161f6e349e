/** How the files of npm are loaded, and the compiled code that is kept of them. Needs `npm run build`. */
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { root } from '../../scripts/command.ts'
import { fromNpm, type RunOptions, runCommand } from '../support/cli/run-command.ts'

type Context = { folder: string }

const run = (folder: string, args: ReadonlyArray<string>, options?: RunOptions): ReturnType<typeof runCommand> =>
  runCommand(fromNpm, folder, args, options)

const test = suite<Context>('loader')

test.before((world) => {
  world.folder = mkdtempSync(join(tmpdir(), 'loader-'))
  writeFileSync(join(world.folder, 'compose.yaml'), 'name: shop\nservices:\n  web:\n    image: nginx\n')
})
test.after(({ folder }) => rmSync(folder, { recursive: true, force: true }))

test('a missing --env-file is reported by Node, unless `--` comes before the program', async ({ folder }) => {
  const args = ['deploy', '--dry-run', '--env-file', 'missing.env']
  assert.is((await run(folder, args)).status, 9)
  const { status, stderr } = await run(folder, args, { shell: 'exec "$0" -- "$@"' })
  assert.is(status, 3)
  assert.match(stderr, 'DT1007')
})

test('a broken or missing code cache changes nothing', async ({ folder }) => {
  const args = ['deploy', '--dry-run']
  const cold = await run(folder, args, { env: { DEVTOOL_NO_CODE_CACHE: '1' } })
  const cache = join(folder, 'cache2/devtool')
  const env = { XDG_CACHE_HOME: join(folder, 'cache2') }
  assert.equal(await run(folder, args, { env }), cold)
  const name = readdirSync(cache).find((kept) => /^project-.*\.bin$/.test(kept)) ?? ''
  assert.equal(await run(folder, args, { env }), cold)
  writeFileSync(join(cache, name), 'broken')
  assert.equal(await run(folder, args, { env }), cold)
  assert.ok(readFileSync(join(cache, name)).length > 100_000)
  mkdirSync(join(folder, 'cache3'))
  writeFileSync(join(folder, 'cache3/devtool'), 'a file in the way')
  assert.equal(await run(folder, args, { env: { XDG_CACHE_HOME: join(folder, 'cache3') } }), cold)
})

/** Explaining loads a file of its own. */
const explain = ['explain', 'DT1007']
const isUnix = process.platform !== 'win32'
const keptIn = (home: string): ReadonlyArray<string> => readdirSync(join(home, 'devtool'))
/** Its mode is that of a cache. */
const replacedByPipe = (file: string): void => {
  rmSync(file)
  execFileSync('mkfifo', ['-m', '600', file])
}
const replacedByLink = (file: string): void => {
  const elsewhere = join(file, '../../elsewhere')
  renameSync(file, elsewhere)
  symlinkSync(elsewhere, file)
}
const keptExplanations = (home: string): string => keptIn(home).find((name) => name.startsWith('domain-explain-')) ?? ''

test('a file loaded on demand has its own code cache, which the next run uses', async ({ folder }) => {
  const env = { XDG_CACHE_HOME: join(folder, 'later') }
  const cold = await run(folder, explain, { env })
  assert.is(cold.status, 0)
  const name = keptExplanations(env.XDG_CACHE_HOME)
  assert.match(name, /^domain-explain-explain-[0-9a-f]{16}-.*\.bin$/)
  const file = join(env.XDG_CACHE_HOME, 'devtool', name)
  const first = statSync(file)
  assert.ok(first.size > 10_000)
  if (isUnix) assert.is(first.mode & 0o777, 0o600)
  assert.equal(await run(folder, explain, { env }), cold)
  // What V8 does not accept is written anew.
  assert.is(statSync(file).ino, first.ino)
})

test('the code cache of a file loaded on demand is not used if others could have written it or it is broken', async ({
  folder,
}) => {
  const env = { XDG_CACHE_HOME: join(folder, 'spoilt') }
  const cold = await run(folder, explain, { env })
  const file = join(env.XDG_CACHE_HOME, 'devtool', keptExplanations(env.XDG_CACHE_HOME))
  const kept = keptIn(env.XDG_CACHE_HOME).length
  const spoil: ReadonlyArray<() => void> = [
    () => writeFileSync(file, ''),
    () => writeFileSync(file, 'broken'),
    () => writeFileSync(file, readFileSync(file).subarray(0, 5000)),
    // The header stays as it is, which is all that V8 looks at.
    () => writeFileSync(file, readFileSync(file).fill(0xff, 5000, 6000)),
    () => writeFileSync(file, readFileSync(file).fill(0, 9000, 9100)),
    ...(isUnix ? [() => chmodSync(file, 0o666), () => replacedByPipe(file), () => replacedByLink(file)] : []),
    ...(process.getuid?.() === 0 ? [() => chownSync(file, 65_534, 65_534)] : []),
  ]
  for (const change of spoil) {
    change()
    const { ino } = statSync(file)
    assert.equal(await run(folder, explain, { env }), cold)
    const now = statSync(file)
    assert.ok(now.ino !== ino && now.size > 10_000, String(change))
    if (isUnix) assert.equal([now.mode & 0o777, now.uid], [0o600, process.getuid?.()], String(change))
  }
  assert.is(keptIn(env.XDG_CACHE_HOME).length, kept)
})

test('no code cache is written without permission, when disabled, or by a run that fails', async ({ folder }) => {
  const home = join(folder, 'none')
  const off = { XDG_CACHE_HOME: home, DEVTOOL_NO_CODE_CACHE: '1' }
  const cold = await run(folder, explain, { env: off })
  assert.is(cold.status, 0)
  assert.is.not((await run(folder, ['explain', 'DT9999'], { env: { XDG_CACHE_HOME: home } })).status, 0)
  assert.equal(existsSync(home), false)
  const locked = join(folder, 'locked')
  mkdirSync(join(locked, 'devtool'), { recursive: true })
  chmodSync(join(locked, 'devtool'), 0o500)
  // Root may write where the mode forbids it, but nobody may in /sys.
  for (const place of [locked, '/sys']) {
    assert.equal(await run(folder, explain, { env: { XDG_CACHE_HOME: place } }), cold)
  }
  if (isUnix && process.getuid?.() !== 0) assert.equal(keptIn(locked), [])
})

test('code caches older than a month are removed, and no other files', async ({ folder }) => {
  const env = { XDG_CACHE_HOME: join(folder, 'old') }
  const place = join(env.XDG_CACHE_HOME, 'devtool')
  mkdirSync(place, { recursive: true })
  const aMonthAgo = Date.now() / 1000 - 31 * 24 * 3600
  for (const name of ['app-0123456789abcdef-11-x64.bin', 'kube-0123456789abcdef-11-x64.bin.7.tmp', 'notes.bin']) {
    writeFileSync(join(place, name), '')
    utimesSync(join(place, name), aMonthAgo, aMonthAgo)
  }
  writeFileSync(join(place, 'why-0123456789abcdef-11-x64.bin'), '')
  assert.is((await run(folder, explain, { env })).status, 0)
  const names = keptIn(env.XDG_CACHE_HOME)
  assert.equal(
    names.filter((name) => name.includes('0123456789abcdef')),
    ['why-0123456789abcdef-11-x64.bin'],
  )
  assert.ok(names.includes('notes.bin'))
})

test('files loaded from a code cache behave like modules that Node loads', async ({ folder }) => {
  const place = join(folder, 'dist')
  mkdirSync(place)
  copyFileSync(join(root, 'dist/devtool.cjs'), join(place, 'devtool.cjs'))
  writeFileSync(
    join(place, 'app.cjs'),
    `exports.start = () => {
      const part = require('./part.cjs')
      console.log(part === require('./part.cjs'), part.count(), require('node:path') === part.path, part.names)
      try { part.fail() } catch (error) { console.log(error.stack.split('\\n')[1]) }
    }`,
  )
  writeFileSync(
    join(place, 'part.cjs'),
    `let loads = 0
    loads += 1
    const names = [__filename, __dirname, this === exports].join()
    module.exports = { count: () => loads, fail: () => { throw new Error('no') }, names, path: require('path') }`,
  )
  const names = [join(place, 'part.cjs'), place, true].join()
  for (let round = 0; round < 2; round += 1) {
    const { stderr, stdout } = await run(folder, [], { shell: `exec "$0" ${join(place, 'devtool.cjs')} validate` })
    assert.is(stderr, '')
    const [facts, frame = ''] = stdout.split('\n')
    assert.is(facts, `true 1 true ${names}`)
    assert.match(frame, `${join(place, 'part.cjs')}:4:`)
  }
  assert.ok(keptIn(join(folder, 'cache')).some((name) => name.startsWith('part-')))
})

test.run()
