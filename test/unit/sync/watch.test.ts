/** How changes in a folder are noticed when the file system does not tell each of them. */
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { diskTree } from '../../../src/adapters/sync/disk-tree.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import type { OpenTree, TreeEvent } from '../../../src/ports/tree.ts'
import { fileWith, rightOf } from '../../contract/tree-world.ts'
import { type MemoryClock, memoryClock } from '../../memory/clock.ts'
import { withFs } from '../../support/process/file-systems.ts'
import { until } from '../../support/process/until.ts'

type World = { root: string; clock: MemoryClock; told: Array<TreeEvent>; open: () => Promise<OpenTree> }

const test = suite<World>('watching')
test.before.each((world) => {
  world.root = fs.mkdtempSync(join(tmpdir(), 'watching-'))
  world.clock = memoryClock()
  world.told = []
  const { after, every } = world.clock
  world.open = async () => {
    const tree = diskTree({ clock: { ...systemClock, after, every }, root: world.root, isIgnored: () => false })
    tree.watch((event) => world.told.push(event))
    await rightOf(tree.look())
    return tree
  }
})
test.after.each(({ root }) => fs.rmSync(root, { recursive: true }))

/** The kernel queues this many changes at most. */
const mostChanges = 16_384

test('too many changes to list are told as one overflow, and fewer as a look at their folder', async ({
  clock,
  open,
  root,
  told,
}) => {
  const tree = await open()
  let seen = 0
  const watcher = fs.watch(root, () => {
    seen += 1
  })
  const change = async (times: number): Promise<void> => {
    seen = 0
    for (let done = 0; done < times; done += 1) {
      fs.writeFileSync(join(root, 'a'), '')
      fs.rmSync(join(root, 'a'))
      // In time, so that the kernel drops none of them.
      if (done % 100 === 0) await systemClock.sleep(0)
    }
  }
  await change(100)
  await until('changes', () => seen >= 200)
  await clock.advance(10)
  await until('a look', () => told.length === 1)
  await change(mostChanges)
  await until('more changes than are listed', () => seen >= mostChanges)
  await clock.advance(10)
  watcher.close()
  tree.close()
  assert.equal(
    told.map(({ _tag }) => _tag),
    ['Looked', 'Overflow'],
  )
})

for (const [type, name] of [
  [0x6969, 'NFS'],
  [0xfe534d42, 'SMB'],
  [0x01021997, '9p'],
  [0x65735546, 'FUSE'],
] as const) {
  test(`folders on ${name}, which tells no changes of other machines, are looked at every two seconds`, async ({
    clock,
    open,
    root,
    told,
  }) => {
    fs.mkdirSync(join(root, 'folder'))
    const tree = await withFs({ statfsSync: () => ({ type }) }, open)
    assert.equal(await rightOf(tree.polled), { folders: 2, because: name })
    fs.writeFileSync(join(root, 'folder/a'), 'theirs')
    await clock.advance(1999)
    assert.equal(told, [])
    await clock.advance(10)
    await until('a look', () => told.length > 0)
    tree.close()
    const [event] = told
    const entries = event?._tag === 'Looked' ? event.look.listings.get('folder')?.entries : undefined
    assert.equal([...(entries ?? [])], [['a', fileWith('theirs')]])
  })
}

test.run()
