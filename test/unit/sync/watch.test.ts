/** How changes in a folder are noticed when the file system does not tell each of them. */
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { diskTree } from '../../../src/adapters/sync/disk-tree.ts'
import { newEventQueue } from '../../../src/adapters/sync/event-queue.ts'
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

test('a few changes are told as a look at their folder', async ({ clock, open, root, told }) => {
  const tree = await open()
  let seen = 0
  const watcher = fs.watch(root, () => {
    seen += 1
  })
  for (let done = 0; done < 100; done += 1) {
    fs.writeFileSync(join(root, 'a'), '')
    fs.rmSync(join(root, 'a'))
  }
  await until('changes', () => seen >= 200)
  await clock.advance(10)
  await until('a look', () => told.length === 1)
  watcher.close()
  tree.close()
  assert.equal(
    told.map(({ _tag }) => _tag),
    ['Looked'],
  )
})

/** The kernel queues this many changes at most, of all folders that a process watches. */
const mostChanges = Number(fs.readFileSync('/proc/sys/fs/inotify/max_queued_events', 'utf8'))

test('changes of several folders that overflow the queue of the kernel are told as an overflow of each', async ({
  clock,
  root,
}) => {
  const names = ['a', 'b', 'c', 'd', 'last']
  const told = new Map<string, Array<TreeEvent>>()
  const trees: Array<OpenTree> = []
  for (const name of names) {
    fs.mkdirSync(join(root, name))
    for (const file of ['1', '2']) fs.writeFileSync(join(root, name, file), '')
    const { after, every } = clock
    const tree = diskTree({
      clock: { ...systemClock, after, every },
      root: join(root, name),
      isIgnored: () => false,
    })
    const events: Array<TreeEvent> = []
    told.set(name, events)
    tree.watch((event) => events.push(event))
    await rightOf(tree.look())
    trees.push(tree)
  }
  const seen: Array<string> = []
  const watchers = ['a', 'last'].map((name) => fs.watch(join(root, name), () => seen.push(name)))
  // Nothing is read meanwhile. No folder alone has more than a third of what is queued.
  for (const name of ['a', 'b', 'c', 'd']) {
    for (let done = 0; done < 0.3 * mostChanges; done += 1) fs.chmodSync(join(root, name, `${1 + (done % 2)}`), 0o600)
  }
  fs.writeFileSync(join(root, 'last/new'), '')
  await until('changes', () => seen.length > 0)
  await systemClock.sleep(20)
  await clock.advance(10)
  for (const one of [...watchers, ...trees]) one.close()
  assert.is(seen.includes('last'), false, 'the kernel has dropped the last change')
  assert.equal(
    names.map((name) => told.get(name)?.map(({ _tag }) => _tag)),
    names.map(() => ['Overflow']),
  )
})

test('the limit is that of the kernel, for what is read at once', async ({ root }) => {
  const file = join(root, 'limit')
  fs.writeFileSync(file, '100\n')
  const queue = newEventQueue(file)
  let overflows = 0
  const stop = queue.onOverflow(() => {
    overflows += 1
  })
  const count = async (events: number): Promise<number> => {
    for (let done = 0; done < events; done += 1) queue.count()
    await setImmediate()
    return overflows
  }
  assert.is(await count(49), 0)
  assert.is(await count(49), 0)
  assert.is(await count(50), 1)
  assert.is(await count(49), 1)
  stop()
  assert.is(await count(100), 1)
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
