/** What every folder of devtool keeps, in memory and on the disk; and what only a disk can get wrong. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { nodeHome } from '../../src/adapters/node-fs/home.ts'
import { systemClock } from '../../src/adapters/system/clock.ts'
import { error } from '../../src/domain/diagnostic/diagnostic.ts'
import type { Home } from '../../src/ports/home.ts'
import { memoryClock } from '../memory/clock.ts'
import { memoryHome } from '../memory/home.ts'

type Context = { folder: string }
const FILE = 'context/config.json'

const test = suite<Context>('home')
test.before.each((world) => {
  world.folder = mkdtempSync(join(tmpdir(), 'home-'))
})
test.after.each(({ folder }) => rmSync(folder, { recursive: true, force: true }))

const homes: Readonly<Record<string, (folder: string) => Home>> = {
  memory: () => memoryHome(),
  disk: (folder) => nodeHome({ DEVTOOL_HOME: join(folder, 'new') }, systemClock),
}

const codeOf = (result: E.Either<{ readonly code: string }, unknown>): string | undefined =>
  E.isLeft(result) ? result.left.code : undefined

for (const [name, make] of Object.entries(homes)) {
  test(`${name}: a file that was not written is absent`, async ({ folder }) => {
    assert.equal(await make(folder).read(FILE)(), E.right(undefined))
  })

  test(`${name}: each change sees the one before`, async ({ folder }) => {
    const home = make(folder)
    assert.equal(await home.change(FILE, (text) => E.right(`${text ?? 'first'}.`))(), E.right(undefined))
    assert.equal(await home.change(FILE, (text) => E.right(`${text ?? 'first'}.`))(), E.right(undefined))
    assert.equal(await home.read(FILE)(), E.right('first..'))
    assert.equal(await home.read('context/other.json')(), E.right(undefined))
  })

  test(`${name}: a change that fails changes nothing, and the next one works`, async ({ folder }) => {
    const home = make(folder)
    await home.change(FILE, () => E.right('kept'))()
    assert.is(codeOf(await home.change(FILE, () => E.left(error('DT2105', 'no')))()), 'DT2105')
    assert.equal(await home.read(FILE)(), E.right('kept'))
    assert.equal(await home.change(FILE, () => E.right('more'))(), E.right(undefined))
  })

  test(`${name}: changes at the same time lose nothing`, async ({ folder }) => {
    const home = make(folder)
    const add = (id: number) => home.change(FILE, (text = '') => E.right(`${text}${id}\n`))()
    await Promise.all(Array.from({ length: 20 }, (_, id) => add(id)))
    const text = await home.read(FILE)()
    assert.is(E.isRight(text) ? text.right?.split('\n').length : 0, 21)
  })
}

const modeOf = (path: string): string => (lstatSync(path).mode & 0o777).toString(8)

for (const umask of [0o000, 0o077, 0o777]) {
  test(`folders are 700 and files 600 under umask ${umask.toString(8)}`, async ({ folder }) => {
    const root = join(folder, 'new')
    const old = process.umask(umask)
    try {
      const home = nodeHome({ DEVTOOL_HOME: root }, systemClock)
      assert.equal(await home.change(FILE, () => E.right('a'))(), E.right(undefined))
    } finally {
      process.umask(old)
    }
    assert.equal([root, join(root, 'context'), join(root, FILE)].map(modeOf), ['700', '700', '600'])
  })
}

test('permissions of others are removed, but not from a shared folder', async ({ folder }) => {
  mkdirSync(join(folder, '.devtool/context'), { recursive: true })
  for (const path of ['.devtool', '.devtool/context']) chmodSync(join(folder, path), 0o755)
  writeFileSync(join(folder, '.devtool', FILE), 'old', { mode: 0o644 })
  await nodeHome({ HOME: folder }, systemClock).change(FILE, () => E.right('new'))()
  assert.equal(
    ['.devtool', '.devtool/context', `.devtool/${FILE}`].map((path) => modeOf(join(folder, path))),
    ['700', '700', '600'],
  )
  const shared = join(folder, 'shared')
  mkdirSync(shared)
  chmodSync(shared, 0o755)
  await nodeHome({ DEVTOOL_HOME: shared }, systemClock).change(FILE, () => E.right('new'))()
  assert.equal([shared, join(shared, 'context')].map(modeOf), ['755', '700'])
})

test('a link in place of the folder, a folder in it or the file is read, but never written through', async ({
  folder,
}) => {
  mkdirSync(join(folder, 'elsewhere/context'), { recursive: true })
  writeFileSync(join(folder, 'elsewhere', FILE), 'theirs')
  const links: ReadonlyArray<readonly [string, string]> = [
    ['a', 'elsewhere'],
    ['b/context', 'elsewhere/context'],
    [`c/${FILE}`, `elsewhere/${FILE}`],
  ]
  for (const [link, to] of links) {
    mkdirSync(join(folder, link, '..'), { recursive: true })
    symlinkSync(join(folder, to), join(folder, link))
    const home = nodeHome({ DEVTOOL_HOME: join(folder, link.charAt(0)) }, systemClock)
    assert.equal(await home.read(FILE)(), E.right('theirs'), link)
    assert.is(codeOf(await home.change(FILE, () => E.right('ours'))()), 'DT2104', link)
  }
  assert.is(readFileSync(join(folder, 'elsewhere', FILE), 'utf8'), 'theirs')
})

test('irregular and oversized files are not read', async ({ folder }) => {
  const home = nodeHome({ DEVTOOL_HOME: folder }, systemClock)
  const file = join(folder, FILE)
  mkdirSync(join(folder, 'context'))
  const make: ReadonlyArray<() => unknown> = [
    () => mkdirSync(file),
    () => symlinkSync('/dev/zero', file),
    () => execFileSync('mkfifo', [file]),
    () => (writeFileSync(file, ''), truncateSync(file, 17 * 1024 * 1024)),
  ]
  for (const one of make) {
    rmSync(file, { force: true, recursive: true })
    one()
    assert.is(codeOf(await home.read(FILE)()), 'DT2104', String(one))
  }
})

test('without HOME there are no files, and a change reports that HOME is missing', async () => {
  const home = nodeHome({ HOME: '' }, systemClock)
  assert.equal(await home.read(FILE)(), E.right(undefined))
  const changed = await home.change(FILE, () => E.right('a'))()
  assert.is(codeOf(changed), 'DT2104')
  assert.match(E.isLeft(changed) ? changed.left.message : '', 'HOME')
})

test('a HOME that is not a writable folder is an error that names it', async ({ folder }) => {
  writeFileSync(join(folder, 'file'), '')
  const changed = await nodeHome({ HOME: join(folder, 'file') }, systemClock).change(FILE, () => E.right('a'))()
  assert.is(codeOf(changed), 'DT2104')
  assert.match(E.isLeft(changed) ? changed.left.message : '', join(folder, 'file'))
  const readOnly = await nodeHome({ HOME: '/proc/self' }, systemClock).change(FILE, () => E.right('a'))()
  assert.is(codeOf(readOnly), 'DT2104')
})

/** The program in one file, since compiling it in every process would take most of the time. */
const compiled = mkdtempSync(join(tmpdir(), 'home-writer-'))
const program = join(compiled, 'home-writer.mjs')
test.before(async () => {
  const entry = new URL('../support/home/home-writer.ts', import.meta.url).pathname
  await build({ entryPoints: [entry], bundle: true, platform: 'node', format: 'esm', outfile: program })
})
test.after(() => rmSync(compiled, { recursive: true }))

const writer = (root: string, id: string, count: number): ChildProcess =>
  spawn(process.execPath, [program, FILE, id, String(count)], {
    env: { ...process.env, DEVTOOL_HOME: root },
    stdio: ['ignore', 'ignore', 'inherit'],
  })

const ended = (child: ChildProcess): Promise<number | null> =>
  new Promise((resolve) => child.once('close', (status) => resolve(status)))

test('50 processes that write at the same time lose nothing', async ({ folder }) => {
  const writers: ReadonlyArray<ChildProcess> = Array.from({ length: 50 }, (_, id) => writer(folder, `w${id}`, 2))
  const statuses = await Promise.all(writers.map(ended))
  assert.ok(
    statuses.every((status) => status === 0),
    statuses.join(' '),
  )
  const lines = readFileSync(join(folder, FILE), 'utf8').trim().split('\n')
  assert.is(new Set(lines).size, 100)
  assert.equal(readdirSync(join(folder, 'context')), ['config.json'])
})

test('a killed writer leaves a complete file and does not block others', async ({ folder }) => {
  for (let round = 0; round < 6; round += 1) {
    const child = writer(folder, `r${round}`, 100_000)
    const began = Date.now()
    const hasBegun = () => (statSync(join(folder, FILE), { throwIfNoEntry: false })?.size ?? 0) > 0
    while (!hasBegun() && Date.now() - began < 20_000) await new Promise((go) => setTimeout(go, 5))
    await new Promise((go) => setTimeout(go, 300 + round * 7))
    child.kill('SIGKILL')
    await ended(child)
    const text = readFileSync(join(folder, FILE), 'utf8')
    assert.ok(text.endsWith('\n') && text.split('\n').every((line) => line === '' || /^[rm]\d+-\d+$/.test(line)))
    const home = nodeHome({ DEVTOOL_HOME: folder }, systemClock)
    assert.equal(await home.change(FILE, (old = '') => E.right(`${old}m0-${round}\n`))(), E.right(undefined))
    assert.equal(readdirSync(join(folder, 'context')), ['config.json'])
    // A long file would make each change slower, and the kill would come at the same point.
    await home.change(FILE, () => E.right(''))()
  }
})

const held = (folder: string, holder: string): void => {
  mkdirSync(join(folder, 'context'), { recursive: true })
  writeFileSync(join(folder, `${FILE}.lock`), holder)
}

test('a lock that keeps changing is waited for 30 seconds and then named', async ({ folder }) => {
  const clock = memoryClock()
  const home = nodeHome({ DEVTOOL_HOME: folder }, clock)
  held(folder, `${process.ppid} ${hostname()} 0`)
  let changed: unknown
  const changing = home
    .change(FILE, () => E.right('a'))()
    .then((result) => {
      changed = result
      return result
    })
  for (let seconds = 5; seconds < 30; seconds += 5) {
    await clock.advance(5000)
    held(folder, `${process.ppid} ${hostname()} ${seconds}`)
  }
  await clock.advance(4000)
  assert.is(changed, undefined)
  await clock.advance(2000)
  const refused = await changing
  assert.is(codeOf(refused), 'DT2106')
  assert.match(E.isLeft(refused) ? refused.left.message : '', `${FILE}.lock`)
})

test('a lock that does not change for ten seconds is taken over, also from another machine', async ({ folder }) => {
  for (const holder of [`${process.ppid} ${hostname()} x`, '1 elsewhere y']) {
    held(folder, holder)
    const clock = memoryClock()
    const home = nodeHome({ DEVTOOL_HOME: folder }, clock)
    const changed = home.change(FILE, () => E.right('a'))()
    await clock.advance(9000)
    assert.is(readFileSync(join(folder, `${FILE}.lock`), 'utf8'), holder)
    await clock.advance(2000)
    assert.equal(await changed, E.right(undefined), holder)
    await home.change(FILE, () => E.right('b'))()
  }
})

test.run()
