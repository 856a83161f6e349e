/** What a look finds of entries that cannot be read, and of files that change while it reads them. */

import * as fs from 'node:fs'
import nodeFs, { type BigIntStats, type PathLike } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { diskTree } from '../../../src/adapters/sync/disk-tree.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import type { SeenEntry } from '../../../src/domain/sync/entry.ts'
import type { OpenTree } from '../../../src/ports/tree.ts'
import { fileWith, rightOf } from '../../contract/tree-world.ts'
import { withFs } from '../../support/process/file-systems.ts'

type World = {
  root: string
  /** The time, if it is not that of the system. */
  wallMs: number | undefined
  tree: OpenTree
  entry: (path: string) => Promise<SeenEntry | undefined>
}

const test = suite<World>('looks')

test.before.each((world) => {
  world.root = fs.mkdtempSync(join(tmpdir(), 'looks-'))
  world.wallMs = undefined
  const clock = { ...systemClock, wallMs: () => world.wallMs ?? systemClock.wallMs() }
  world.tree = diskTree({ clock, root: world.root, isIgnored: () => false })
  world.entry = async (path) => (await rightOf(world.tree.look())).listings.get('')?.entries.get(path)
})
test.after.each(({ root, tree }) => {
  tree.close()
  fs.rmSync(root, { recursive: true })
})

type PathFunction = 'lstatSync' | 'openSync' | 'readdirSync' | 'readlinkSync'

/** A function that fails for this path. */
const failing = (name: PathFunction, path: string, code: string) => {
  const real = nodeFs[name]
  const failed = (...asked: ReadonlyArray<unknown>): unknown => {
    if (asked[0] !== path) return Reflect.apply(real, nodeFs, asked)
    throw Object.assign(new Error(`${code}: it cannot be read`), { code })
  }
  return { [name]: failed }
}

for (const code of ['EACCES', 'EIO', 'ELOOP', 'EMFILE']) {
  for (const [what, name, make] of [
    ['file that cannot be opened', 'openSync', (path: string) => fs.writeFileSync(path, 'one')],
    ['file whose metadata cannot be read', 'lstatSync', (path: string) => fs.writeFileSync(path, 'one')],
    ['link that cannot be read', 'readlinkSync', (path: string) => fs.symlinkSync('b', path)],
    ['folder that cannot be listed', 'readdirSync', (path: string) => fs.mkdirSync(path)],
  ] as const) {
    test(`a ${what} is unknown, not absent: ${code}`, async ({ entry, root }) => {
      make(join(root, 'a'))
      fs.writeFileSync(join(root, 'b'), 'two')
      await entry('a')
      fs.rmSync(join(root, 'a'), { recursive: true })
      make(join(root, 'a'))
      const found = await withFs(failing(name, join(root, 'a'), code), () => entry('a'))
      assert.equal(found, { _tag: 'Unknown', reason: `${code}: it cannot be read` })
      assert.equal(await entry('b'), fileWith('two'))
    })
  }
}

test('a file whose content cannot be read to its end is unknown', async ({ entry, root }) => {
  fs.writeFileSync(join(root, 'a'), 'x'.repeat(3_000_000))
  let reads = 0
  const { readSync } = nodeFs
  const broken = (...asked: ReadonlyArray<unknown>): unknown => {
    reads += 1
    if (reads === 1) return Reflect.apply(readSync, nodeFs, asked)
    throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO' })
  }
  assert.equal(await withFs({ readSync: broken }, () => entry('a')), { _tag: 'Unknown', reason: 'EIO: i/o error' })
})

test('entries whose names are not UTF-8 are unknown, and others are seen', async ({ entry, root, tree }) => {
  fs.writeFileSync(Buffer.concat([Buffer.from(`${root}/a`), Buffer.from([0xff])]), 'one')
  fs.mkdirSync(Buffer.concat([Buffer.from(`${root}/folder`), Buffer.from([0xfe])]))
  fs.writeFileSync(join(root, 'b'), 'two')
  const unknown: SeenEntry = { _tag: 'Unknown', reason: 'its name is not UTF-8' }
  assert.equal(await entry('a\uFFFD'), unknown)
  assert.equal(await entry('folder\uFFFD'), unknown)
  assert.equal([...(await rightOf(tree.look())).listings.keys()], [''])
  assert.equal(await entry('b'), fileWith('two'))
})

const large = (letter: string): string => letter.repeat(3_000_000)

/** Looks while `change` is called after each part that is read of a file. */
const lookDuring = (entry: World['entry'], change: (part: number) => void): Promise<SeenEntry | undefined> => {
  const { readSync } = nodeFs
  let parts = 0
  const reading = (...asked: ReadonlyArray<unknown>): unknown => {
    const read = Reflect.apply(readSync, nodeFs, asked)
    parts += 1
    change(parts)
    return read
  }
  return withFs({ readSync: reading }, () => entry('a'))
}

let changes = 0

/** In place and with the same size; a second later at each change, since clocks of file systems are coarse. */
const overwrite = (path: string, text: string): void => {
  changes += 1
  fs.writeFileSync(path, text, { flag: 'r+' })
  fs.utimesSync(path, 1_700_000_000 + changes, 1_700_000_000 + changes)
}

test('a file that changes once while it is read has the hash of its new content', async ({ entry, root }) => {
  fs.writeFileSync(join(root, 'a'), large('x'))
  const found = await lookDuring(entry, (part) => part === 1 && overwrite(join(root, 'a'), large('y')))
  assert.equal(found, fileWith(large('y')))
})

test('a file that changes whenever it is read is unknown, and known once it rests', async ({ entry, root }) => {
  fs.writeFileSync(join(root, 'a'), large('x'))
  const found = await lookDuring(entry, (part) => overwrite(join(root, 'a'), large(part % 2 === 0 ? 'x' : 'y')))
  assert.equal(found, { _tag: 'Unknown', reason: 'it changes while it is read' })
  overwrite(join(root, 'a'), large('z'))
  assert.equal(await entry('a'), fileWith(large('z')))
})

test('a file that becomes shorter while it is read has the hash of what is left', async ({ entry, root }) => {
  fs.writeFileSync(join(root, 'a'), large('x'))
  assert.equal(await lookDuring(entry, (part) => part === 1 && fs.truncateSync(join(root, 'a'), 3)), fileWith('xxx'))
})

test('a file that grows while it is read has the hash of what it had before', async ({ entry, root }) => {
  fs.writeFileSync(join(root, 'a'), large('x'))
  const found = await lookDuring(entry, () => fs.appendFileSync(join(root, 'a'), 'more'))
  assert.equal(found, fileWith(large('x')))
})

/** As on a file system whose clock stands still between two changes. */
const withoutTimes = () => {
  const still = (stat: BigIntStats): BigIntStats =>
    Object.assign(Object.create(Object.getPrototypeOf(stat)), stat, { mtimeNs: 0n, ctimeNs: 0n })
  const { fstatSync, lstatSync } = nodeFs
  return {
    lstatSync: (path: PathLike, options?: { readonly bigint?: boolean }) => {
      const stat = Reflect.apply(lstatSync, nodeFs, [path, options])
      return options?.bigint === true && stat !== undefined ? still(stat) : stat
    },
    fstatSync: (file: number, options: { readonly bigint: true }) => still(fstatSync(file, options)),
  }
}

/** The time so many milliseconds after the last change of the file. */
const after = (path: string, ms: number): number => Math.floor(fs.statSync(path).ctimeMs) + ms

test('a file that was changed shortly before a look is read again, even if its metadata stays the same', async (world) => {
  const { entry, root } = world
  fs.writeFileSync(join(root, 'a'), 'one')
  world.wallMs = after(join(root, 'a'), 1900)
  await withFs(withoutTimes(), async () => {
    assert.equal(await entry('a'), fileWith('one'))
    fs.writeFileSync(join(root, 'a'), 'two', { flag: 'r+' })
    assert.equal(await entry('a'), fileWith('two'))
  })
})

test('a file that was not changed for some seconds is read once', async (world) => {
  const { entry, root } = world
  fs.writeFileSync(join(root, 'a'), 'one')
  const reads = async (): Promise<number> => {
    let parts = 0
    await lookDuring(entry, () => {
      parts += 1
    })
    return parts
  }
  world.wallMs = after(join(root, 'a'), 1900)
  assert.equal([await reads(), await reads()], [1, 1])
  world.wallMs = after(join(root, 'a'), 2100)
  assert.equal([await reads(), await reads()], [1, 0])
})

test.run()
