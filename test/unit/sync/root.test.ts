/** Another folder at the path of a folder of this machine: one that is empty, as when a file system is not mounted. */
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { diskTree } from '../../../src/adapters/sync/disk-tree.ts'
import { claimRoot } from '../../../src/adapters/sync/root.ts'
import { syncedFolders } from '../../../src/adapters/sync/synced-folders.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { keepBase } from '../../../src/app/sync/keep-base.ts'
import { type Synchronisation, synchronise } from '../../../src/app/sync/synchronise.ts'
import type { CycleState } from '../../../src/domain/sync/cycle-state.ts'
import { rightOf } from '../../contract/tree-world.ts'

type World = { base: string; here: string; there: string; aside: string }

const test = suite<World>('the folder of this machine')

test.before.each((context) => {
  context.base = fs.mkdtempSync(join(tmpdir(), 'root-'))
  context.here = join(context.base, 'here')
  context.there = join(context.base, 'there')
  context.aside = join(context.base, 'aside')
  for (const folder of [context.here, context.there]) fs.mkdirSync(folder)
  for (const name of ['a', 'b']) fs.writeFileSync(join(context.here, name), name)
})
test.after.each(({ base }) => fs.rmSync(base, { recursive: true }))

const session = async (world: World, run: (engine: Synchronisation) => Promise<void>): Promise<void> => {
  const home = join(world.base, 'home')
  const folder = await rightOf(syncedFolders(systemClock).open(world.here, join(home, 'store'), home, { others: [] }))
  const there = diskTree({ clock: systemClock, root: world.there, isIgnored: () => false })
  const { journal, newId, tree } = folder
  const engine = synchronise(systemClock, {
    here: tree,
    keeper: keepBase(journal),
    modeOf: () => 'two-way',
    machine: 'laptop',
    user: 'ann',
    newId,
    whose: () => TE.right('Mine'),
    say: () => {},
  })
  await rightOf(engine.link(there))
  await run(engine)
  await engine.stop()
  await folder.close()
  there.close()
}

const until = async (engine: Synchronisation, isSo: (state: CycleState) => boolean): Promise<void> => {
  for (let left = 2000; left > 0; left -= 1) {
    if (isSo(engine.state())) return
    await systemClock.sleep(10)
  }
  assert.unreachable('it never came to that')
}

const isComplete = (state: CycleState): boolean => state.isComplete

const namesIn = (folder: string): ReadonlyArray<string> =>
  fs.readdirSync(folder).filter((name) => !name.startsWith('.devtool-sync'))

const exchange = ({ aside, here }: World): void => {
  fs.renameSync(here, aside)
  fs.mkdirSync(here)
}

test('files missing in a folder that replaced the root were not deleted', async (world) => {
  await session(world, (engine) => until(engine, isComplete))
  assert.equal(namesIn(world.there), ['a', 'b'])
  exchange(world)
  await session(world, (engine) => until(engine, isComplete))
  assert.equal(namesIn(world.there), ['a', 'b'])
  assert.equal(namesIn(world.here), [])
})

test('the base is dropped if the machine was restarted before the folder was released', async (world) => {
  const store = join(world.base, 'store')
  const journal = join(store, 'base')
  const claimed = async (
    boot: string,
  ): Promise<{ readonly isKept: boolean; readonly release: () => Promise<void> }> => {
    const { release } = await claimRoot(world.here, store, boot)
    const isKept = fs.existsSync(journal)
    fs.writeFileSync(journal, 'agreed')
    return { isKept, release }
  }
  await claimed('first')
  assert.is((await claimed('first')).isKept, true, 'only killed')
  const second = await claimed('second')
  assert.is(second.isKept, false, 'a power cut')
  await second.release()
  assert.is((await claimed('third')).isKept, true, 'released before')
})

test('a folder that replaces the root during a session is left alone until the first one is back', async (world) => {
  await session(world, async (engine) => {
    await until(engine, isComplete)
    exchange(world)
    await until(engine, ({ isLooked }) => !isLooked.here)
    fs.writeFileSync(join(world.there, 'c'), 'c')
    await until(engine, ({ trees }) => trees.there.get('')?.entries.has('c') === true)
    assert.equal(namesIn(world.here), [])
    fs.rmdirSync(world.here)
    fs.renameSync(world.aside, world.here)
    await until(engine, isComplete)
  })
  for (const folder of [world.here, world.there]) assert.equal(namesIn(folder), ['a', 'b', 'c'])
})

test.run()
