/** What is remembered of a context: a second hash reads only what may have changed, and misses nothing. */
import { chmodSync, mkdirSync, readFileSync, renameSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { buildContexts } from '../../../src/adapters/buildkit/contexts.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { hashedOnce } from '../../../src/app/build/hash-once.ts'
import { memoryHome } from '../../memory/home.ts'
import { inFolder, plant } from '../../support/build/tree.ts'

const signal = new AbortController().signal

type HomeFiles = Map<string, string>

const hash = async (folder: string, kept: HomeFiles, wallMs = systemClock.wallMs, ignore = ''): Promise<string> => {
  const clock = { ...systemClock, wallMs }
  const result = await buildContexts({ clock, home: memoryHome(kept) }).hash({ folder, ignore }, signal)()
  if (E.isLeft(result)) throw new Error(result.left.message)
  return result.right
}

/** Without anything remembered. */
const anew = (folder: string): Promise<string> => hash(folder, new Map())

/** Later than any time of a file that the tests make. */
const later = (): number => systemClock.wallMs() + 60_000

const linesIn = (kept: HomeFiles): ReadonlyArray<string> =>
  [...kept.values()].flatMap((text) => text.trimEnd().split('\n').slice(1))

/** Digests that are wrong: a hash that follows them has read nothing. */
const falsified = (kept: HomeFiles): HomeFiles =>
  new Map([...kept].map(([file, text]) => [file, text.replaceAll(/^[0-9a-f]{64} /gm, `${'0'.repeat(64)} `)]))

const tree = { 'a.txt': 'one', 'd/b.txt': 'two', 'd/c': 'three' }

test('files that are older than the index by more than two seconds are not read again', () =>
  inFolder(async (folder) => {
    plant(folder, tree)
    const kept: HomeFiles = new Map()
    const first = await hash(folder, kept, later)
    assert.is(linesIn(kept).length, 3)
    assert.is(await hash(folder, kept), first)
    assert.is.not(await hash(folder, falsified(kept)), first, 'what is remembered counts')
    assert.is(await anew(folder), first)
  }))

test('files that are younger, or whose times are in the future, are not remembered', () =>
  inFolder(async (folder) => {
    plant(folder, tree)
    const kept: HomeFiles = new Map()
    const lastMs = Math.max(...Object.keys(tree).map((path) => statSync(join(folder, path)).ctimeMs))
    await hash(folder, kept, () => lastMs)
    await hash(folder, kept, () => lastMs + 1900)
    assert.equal(linesIn(kept), [])
    const ahead = systemClock.wallMs() / 1000 + 3600
    utimesSync(join(folder, 'a.txt'), ahead, ahead)
    await hash(folder, kept, later)
    assert.equal(
      linesIn(kept).map((line) => line.split(' ')[2]),
      ['d/b.txt', 'd/c'],
    )
  }))

const touched: ReadonlyArray<readonly [title: string, touch: (folder: string) => void]> = [
  ['another size', (folder) => writeFileSync(join(folder, 'a.txt'), 'longer')],
  ['another mode', (folder) => chmodSync(join(folder, 'a.txt'), 0o755)],
  [
    'another content with its old time put back',
    (folder) => {
      writeFileSync(join(folder, 'a.txt'), 'six')
      utimesSync(join(folder, 'a.txt'), 1, 1)
    },
  ],
  [
    'another file in its place, with the same size and time',
    (folder) => {
      writeFileSync(join(folder, 'new'), 'six')
      utimesSync(join(folder, 'new'), 1, 1)
      renameSync(join(folder, 'new'), join(folder, 'a.txt'))
    },
  ],
]

for (const [title, touch] of touched) {
  test(`${title} is noticed`, () =>
    inFolder(async (folder) => {
      plant(folder, tree)
      utimesSync(join(folder, 'a.txt'), 1, 1)
      const kept: HomeFiles = new Map()
      const first = await hash(folder, kept, later)
      touch(folder)
      const second = await hash(folder, kept)
      assert.is.not(second, first)
      assert.is(second, await anew(folder))
    }))
}

test('a folder that was moved or replaced is read again', () =>
  inFolder(async (folder) => {
    const [one, other] = [join(folder, 'one'), join(folder, 'other')]
    plant(folder, { 'one/a': '1', 'other/a': '2' })
    const kept: HomeFiles = new Map()
    const [first, second] = [await hash(one, kept, later), await hash(other, kept, later)]
    renameSync(one, join(folder, 'away'))
    renameSync(other, one)
    assert.is(await hash(one, falsified(kept)), second)
    assert.is(await hash(join(folder, 'away'), falsified(kept)), first)
  }))

test('nothing is cached for file systems without stable inodes and times', async () => {
  const kept: HomeFiles = new Map()
  await hash('/proc/sys/kernel/random', kept, later)
  assert.is(kept.size, 0)
})

test('an index of other files, or an unreadable one, is ignored', () =>
  inFolder(async (folder) => {
    plant(folder, tree)
    const kept: HomeFiles = new Map()
    const first = await hash(folder, kept, later)
    assert.is.not(await hash(folder, kept, later, 'd'), first)
    for (const [file, text] of kept) kept.set(file, text.slice(0, -20))
    assert.is(await hash(folder, kept, later), first)
    for (const file of kept.keys()) kept.set(file, 'nonsense')
    assert.is(await hash(folder, kept, later), first)
  }))

test('no edit of the same size is missed, whenever it happens around the writing of the index', () =>
  inFolder(async (folder) => {
    const count = 1000
    const contents = Array.from({ length: count }, (_, index) => `${index}`.padStart(8, '0'))
    plant(folder, Object.fromEntries(contents.map((text, index) => [`d${index % 10}/f${index}`, text])))
    mkdirSync(join(folder, 'empty'))
    // Old enough to be remembered.
    await sleep(2100)
    const kept: HomeFiles = new Map()
    const began = performance.now()
    await anew(folder)
    const lastsMs = performance.now() - began
    const moments = contents.map((_, index) => ({ index, atMs: Math.random() * lastsMs * 2 }))
    const edits = { areMade: false }
    const edit = async (): Promise<void> => {
      const start = performance.now()
      for (const { atMs, index } of moments.toSorted((a, b) => a.atMs - b.atMs)) {
        while (performance.now() - start < atMs) await new Promise(setImmediate)
        writeFileSync(join(folder, `d${index % 10}/f${index}`), `${index}`.padStart(8, 'x'))
      }
      edits.areMade = true
    }
    const editing = edit()
    while (!edits.areMade) {
      await hash(folder, kept)
      await new Promise(setImmediate)
    }
    await editing
    assert.ok(linesIn(kept).length < count, 'what was just edited is not remembered')
    assert.is(await hash(folder, kept), await anew(folder))
    for (const index of [0, count - 1]) {
      assert.match(readFileSync(join(folder, `d${index % 10}/f${index}`), 'utf8'), 'x')
    }
  }))

test('a context is hashed once, however many images are made of it', async () => {
  let count = 0
  const contexts = hashedOnce({
    hash:
      ({ ignore }) =>
      async () => {
        count += 1
        return E.right(`hash of ${ignore}`)
      },
    weigh: () => {
      throw new Error('nobody asks for it')
    },
  })
  const ask = (ignore: string) => contexts.hash({ folder: '/web', ignore }, signal)()
  assert.equal(await Promise.all([ask(''), ask(''), ask('d')]), [
    E.right('hash of '),
    E.right('hash of '),
    E.right('hash of d'),
  ])
  assert.equal([await ask(''), count], [E.right('hash of '), 2])
})

test.run()
