/**
 * One folder of this machine that is synchronised with two containers, by an engine for each, with writers everywhere.
 */
import {
  connect,
  differing,
  type GateFigures,
  kill,
  newDisk,
  newWorld,
  quit,
  settle,
  start,
  type World,
} from './memory-world.ts'
import { writeSomething } from './writers.ts'

const newPair = (seed: number): readonly [World, World] => {
  const first = newWorld(seed)
  const second: World = { ...newWorld(seed), clock: first.clock, random: first.random, ledger: first.ledger }
  // Each engine keeps its own copies of the one folder that both share.
  return [first, { ...second, here: { ...newDisk(), tree: first.here.tree } }]
}

const fault = async (world: World, figures: GateFigures): Promise<void> => {
  figures.faults += 1
  const kind = world.random.below(4)
  if (kind <= 1) {
    world.ends.at(-1)?.cut()
    return connect(world)
  }
  if (kind === 2) kill(world)
  else await quit(world)
  return start(world, figures)
}

const lostContents = ([{ here, ledger, there }, second]: readonly [World, World]): ReadonlyArray<string> => {
  const found = new Set([here, there, second.there].flatMap(({ tree }) => [...tree.contents().values()]))
  return [...ledger.born.keys()].filter((content) => !found.has(content) && !ledger.ended.has(content))
}

/** Undefined: the run passed. */
export const runShared = async (seed: number, rounds: number): Promise<string | undefined> => {
  const worlds = newPair(seed)
  const [first, second] = worlds
  const { clock, ledger, random } = first
  const figures: GateFigures = { writes: 0, conflicts: 0, faults: 0 }
  for (const world of worlds) await start(world, figures)
  for (let round = 0; round < rounds; round += 1) {
    for (let turn = 0; turn < 16; turn += 1) {
      for (const { tree } of [first.here, first.there, second.there]) {
        if (random.chance(0.6)) writeSomething(tree, ledger, random)
      }
      await clock.advance(random.pick([0, 1, 3, 10, 40, 300]) ?? 0)
      if (random.chance(0.08)) await fault(random.pick(worlds) ?? first, figures)
    }
    // Changes that one of them brings here are taken there by the other, and so on until nothing is left.
    for (let times = 0; times < 3; times += 1) for (const world of worlds) await settle(world)
    const lost = lostContents(worlds)
    if (lost.length > 0)
      return `round ${round}: lost ${lost
        .slice(0, 3)
        .map((one) => `${one} at ${ledger.born.get(one)}`)
        .join(', ')}`
    const other = worlds.flatMap((world) => differing(world))
    if (other.length > 0) return `round ${round}: diverged at ${other.slice(0, 3).join(', ')}`
  }
  for (const world of worlds) kill(world)
  return undefined
}
