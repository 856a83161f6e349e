/** Walks that several builds have in common. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { FileEntry } from '../../../src/adapters/buildkit/sync/entry.ts'
import { unsendable } from '../../../src/adapters/buildkit/sync/reason.ts'
import type { Walk } from '../../../src/adapters/buildkit/sync/walk.ts'
import { openWalks } from '../../../src/adapters/buildkit/sync/walks.ts'

const entry = (path: string): FileEntry => ({
  ...{ path, kind: 'File', mode: 0o644, size: 1, mtimeNs: 1n, link: '', major: 0, minor: 0 },
  ...{ ctimeNs: 1n, inode: 1n, device: 1n },
})

/** A folder of so many files, and how many of them were looked at. */
const folderOf = (count: number, why = unsendable('', 'the end')) => {
  const looked = { count: 0 }
  function* walk(): Walk {
    for (let index = 0; index < count; index += 1) {
      looked.count += 1
      yield entry(`f${index}`)
      if (index % 3 === 0) yield undefined
    }
    return why
  }
  return { looked, start: () => walk(), why }
}

const pathsIn = (walk: Walk): ReadonlyArray<string> =>
  [...walk].flatMap((found) => (found === undefined ? [] : [found.path]))

const pathsOf = (count: number): ReadonlyArray<string> => Array.from({ length: count }, (_, index) => `f${index}`)

test('thirty builds of one folder read each file once, in whatever order they continue', () => {
  const [walks, folder] = [openWalks(), folderOf(100)]
  const [ahead, behind] = [walks('a', folder.start), walks('a', folder.start)]
  for (let step = 0; step < 40; step += 1) ahead.next()
  assert.equal(pathsIn(behind), pathsOf(100))
  assert.ok(pathsIn(ahead).length > 0)
  for (let build = 0; build < 28; build += 1) assert.equal(pathsIn(walks('a', folder.start)), pathsOf(100))
  assert.is(folder.looked.count, 100)
})

test('each build learns why a walk could not continue', () => {
  const [walks, folder] = [openWalks(), folderOf(1)]
  for (let build = 0; build < 2; build += 1) {
    const walk = walks('a', folder.start)
    let step = walk.next()
    while (step.done !== true) step = walk.next()
    assert.is(step.value, folder.why)
  }
})

test('a selection of a folder is walked separately', () => {
  const [walks, one, other] = [openWalks(), folderOf(2), folderOf(3)]
  assert.equal(pathsIn(walks('a', one.start)), pathsOf(2))
  assert.equal(pathsIn(walks('b', other.start)), pathsOf(3))
})

test('a very large folder is not cached, and is read completely by all builds that began together', () => {
  const [walks, folder] = [openWalks(), folderOf(60_000)]
  const [first, second] = [walks('a', folder.start), walks('a', folder.start)]
  first.next()
  second.next()
  assert.is(pathsIn(first).length, 60_000 - 1)
  assert.is(pathsIn(second).length, 60_000 - 1)
  assert.is(folder.looked.count, 60_000)
  assert.is(pathsIn(walks('a', folder.start)).length, 60_000)
  assert.is(folder.looked.count, 120_000)
})

test.run()
