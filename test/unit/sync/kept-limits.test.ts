/** How long, and how much of what was overwritten or deleted is kept. */
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { keeping, listKept, tidyKept } from '../../../src/adapters/sync/kept.ts'

type World = {
  folder: string
  /** Keeps a file of this name and size, so long ago. */
  keep: (name: string, agoMs: number, size: number) => void
  left: () => ReadonlyArray<string>
}

const test = suite<World>('limits of kept copies')

const nowMs = 1_763_839_800_000
const dayMs = 24 * 60 * 60 * 1000
const gib = 1024 ** 3

test.before.each((world) => {
  const base = fs.mkdtempSync(join(tmpdir(), 'kept-limits-'))
  world.folder = join(base, 'kept')
  world.keep = (name, agoMs, size) => {
    const file = join(base, 'file')
    fs.writeFileSync(file, '')
    // Without any content on the disk.
    fs.truncateSync(file, size)
    keeping(world.folder, () => nowMs - agoMs)(name, file)
    fs.rmSync(file)
  }
  world.left = () => {
    tidyKept(world.folder, nowMs)
    return listKept(world.folder).map(({ path }) => path)
  }
})
test.after.each(({ folder }) => fs.rmSync(join(folder, '..'), { recursive: true }))

test('copies are kept for seven days', ({ keep, left }) => {
  keep('older', 7 * dayMs + 1, 1)
  keep('old', 7 * dayMs, 1)
  keep('new', 0, 1)
  assert.equal(left(), ['old', 'new'])
})

test('the newest copies are kept as long as they have 1 GiB together', ({ keep, left }) => {
  keep('oldest', 3, gib / 4)
  keep('old', 2, gib / 2)
  keep('new', 1, gib / 2)
  assert.equal(left(), ['old', 'new'])
})

test('a copy of more than 1 GiB is not kept, and does not evict older ones', ({ keep, left }) => {
  keep('small', 2, 1)
  keep('huge', 1, gib + 1)
  assert.equal(left(), ['small'])
})

test.run()
