/** A synchronisation in memory, with both of its ends, and the events that can happen to it. */
import * as TE from 'fp-ts/lib/TaskEither.js'
import { keepBase } from '../../../src/app/sync/keep-base.ts'
import { type Synchronisation, synchronise } from '../../../src/app/sync/synchronise.ts'
import type { SyncBase } from '../../../src/domain/sync/base.ts'
import { nameOf, parentOf } from '../../../src/domain/sync/path.ts'
import { type MemoryClock, memoryClock } from '../../memory/clock.ts'
import { type Disk, type MemoryEnd, memoryEnd } from './memory-end.ts'
import { journalOf, type MemoryJournal, memoryJournal, type OwnJournal } from './memory-journal.ts'
import { type Random, randomOf } from './random.ts'
import { UserTree } from './user-tree.ts'
import { type Ledger, newLedger } from './writers.ts'

export const isIgnored = (path: string): boolean => path.split('/').includes('ignored')

export type World = {
  readonly clock: MemoryClock
  readonly random: Random
  readonly ledger: Ledger
  readonly journal: MemoryJournal
  readonly here: Disk
  readonly there: Disk
  /** Nobody has looked at the container yet: its files count as those of its image. */
  isFresh: boolean
  /** The answer for a folder that another machine synchronised last. */
  whose: () => 'Mine' | 'Theirs'
  /** The files of the container were chosen: files of this machine that they replaced are only in its kept copies. */
  isTheirs: boolean
  machine: string
  ids: number
  engine: Synchronisation | undefined
  own: OwnJournal
  ends: ReadonlyArray<MemoryEnd>
}

export type GateFigures = { writes: number; conflicts: number; faults: number }

export const newDisk = (): Disk => ({
  tree: new UserTree(isIgnored),
  marker: undefined,
  kept: new Set(),
  acts: undefined,
})

/** Leaves everything as it is at this moment. */
export const kill = (world: World): void => {
  world.own.die()
  for (const end of world.ends) end.cut()
  void world.engine?.stop()
  world.engine = undefined
  world.ends = []
}

/** Like a program that is ended by its user, while acts are being carried out. */
export const quit = async (world: World): Promise<void> => {
  const { clock, engine } = world
  const stopping = { isOver: false }
  const stop = async (): Promise<void> => {
    await engine?.stop()
    stopping.isOver = true
  }
  void stop()
  for (let turn = 0; turn < 1000 && !stopping.isOver; turn += 1) await clock.advance(1)
  kill(world)
}

export const start = async (world: World, figures: GateFigures): Promise<void> => {
  const { clock, journal, random } = world
  const here = memoryEnd(clock, world.here, { random, losesEvents: true })
  world.own = journalOf(journal)
  const engine = synchronise(clock, {
    here,
    keeper: keepBase(world.own),
    modeOf: () => 'two-way',
    machine: world.machine,
    user: 'me',
    newId: () => `id${(world.ids += 1)}`,
    whose: () => {
      const whose = world.whose()
      if (whose === 'Theirs' && !world.isTheirs) world.here.kept.clear()
      world.isTheirs ||= whose === 'Theirs'
      return TE.right(whose)
    },
    say: (notice) => {
      if (notice._tag === 'Conflict') figures.conflicts += 1
      if (notice._tag === 'Deletions') {
        engine.answer(notice.deletions, random.chance(0.5) ? 'Carry' : 'Restore')
      }
    },
  })
  world.engine = engine
  world.ends = [here]
  await connect(world)
}

export const connect = async (world: World): Promise<void> => {
  const { clock, engine, random } = world
  const there = memoryEnd(clock, world.there, { random, losesEvents: true })
  world.ends = [...world.ends, there]
  const linking = { isOver: false }
  const link = async (): Promise<void> => {
    await engine?.link(there)()
    linking.isOver = true
  }
  void link()
  for (let turn = 0; turn < 1000 && !linking.isOver; turn += 1) await clock.advance(1)
}

const isLeft = (base: SyncBase, path: string): boolean => base.get(parentOf(path))?.get(nameOf(path))?._tag === 'Left'

/** A path where nothing is to be synchronised. */
const isOfOneEnd = (tree: UserTree, base: SyncBase, path: string): boolean => {
  const below = tree.paths(path)
  return (
    tree.folder(path) !== undefined &&
    below.length > 0 &&
    below.every((one) => isIgnored(one) || isLeft(base, one) || tree.folder(one) !== undefined)
  )
}

/** Paths at which the ends differ, except where that is intended. */
export const differing = (world: World): ReadonlyArray<string> => {
  const [here, there] = [world.here.tree, world.there.tree]
  const { base, hindrances } = world.engine?.state() ?? { base: new Map(), hindrances: [] }
  const text = (tree: UserTree, path: string): string => {
    const node = tree.node(path)
    return node?._tag === 'Folder' ? 'folder' : JSON.stringify(node)
  }
  return [...new Set([...here.paths(), ...there.paths()])].filter((path) => {
    if (isIgnored(path) || text(here, path) === text(there, path) || isLeft(base, path)) return false
    if (hindrances.some((one) => path === one.path || path.startsWith(`${one.path}/`))) return false
    return !isOfOneEnd(here, base, path) && !isOfOneEnd(there, base, path)
  })
}

export const settle = async (world: World): Promise<boolean> => {
  // Once all events have arrived, a look at everything follows within a minute.
  for (let seconds = 0; seconds < 240; seconds += 1) {
    await world.clock.advance(1000)
    if (seconds > 62 && world.engine?.state().isComplete === true && differing(world).length === 0) return true
  }
  return false
}

export const newWorld = (seed: number, journal = memoryJournal()): World => ({
  clock: memoryClock(),
  random: randomOf(seed),
  ledger: newLedger(),
  journal,
  own: journalOf(journal),
  here: newDisk(),
  there: newDisk(),
  isFresh: true,
  isTheirs: false,
  whose: () => 'Mine',
  machine: 'machine0',
  ids: 0,
  engine: undefined,
  ends: [],
})
