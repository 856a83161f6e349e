/** Rounds of writers at both ends of a synchronisation in memory, with every fault in between. */
import {
  connect,
  differing,
  type GateFigures,
  isIgnored,
  kill,
  newDisk,
  newWorld,
  quit,
  settle,
  start,
  type World,
} from './memory-world.ts'
import type { Random } from './random.ts'
import type { UserTree } from './user-tree.ts'
import { newLedger, writeSomething } from './writers.ts'

/** Files that were only there are gone with the container; its image has files of its own. */
const replaceContainer = (world: World): void => {
  const kept = new Set(world.here.tree.contents().values())
  for (const content of world.there.tree.contents().values()) if (!kept.has(content)) world.ledger.ended.add(content)
  const { marker, tree } = newDisk()
  tree.write('f1', 'of the image')
  world.there.tree = tree
  world.there.marker = marker
  world.there.acts = undefined
  world.isFresh = true
}

const fault = async (world: World, figures: GateFigures): Promise<void> => {
  const { journal, random } = world
  figures.faults += 1
  const kind = random.below(8)
  if (kind <= 1) {
    world.ends.at(-1)?.cut()
    if (kind === 1) world.there.acts = undefined
    return connect(world)
  }
  if (kind === 7) await quit(world)
  else kill(world)
  if (kind === 3 && journal.bytes !== undefined)
    journal.bytes = journal.bytes.subarray(0, random.below(journal.bytes.length))
  if (kind === 4) replaceContainer(world)
  if (kind === 5) {
    world.machine = `machine${random.below(3)}`
    journal.bytes = undefined
  }
  return start(world, figures)
}

const lostContents = ({ here, isTheirs, ledger, there }: World): ReadonlyArray<string> => {
  const kept = isTheirs ? here.kept : []
  const found = new Set([...here.tree.contents().values(), ...there.tree.contents().values(), ...kept])
  return [...ledger.born.keys()].filter((content) => !found.has(content) && !ledger.ended.has(content))
}

const writeIgnored = (tree: UserTree, random: Random): void => {
  const folder = random.pick(tree.paths().filter((path) => tree.folder(path) !== undefined && !isIgnored(path)))
  if (folder !== undefined) tree.write(`${folder}/ignored`, 'own')
}

const isUnseen = (world: World): boolean => {
  const state = world.engine?.state()
  if (state !== undefined && state.isLooked.there && state.isLooked.here) world.isFresh = false
  return world.isFresh
}

/** Undefined: the round passed. */
const memoryRound = async (world: World, figures: GateFigures): Promise<string | undefined> => {
  const { clock, here, ledger, random, there } = world
  for (let turn = 0; turn < 16; turn += 1) {
    isUnseen(world)
    for (const disk of [here, there]) {
      if (random.chance(0.8))
        writeSomething(
          disk.tree,
          disk === there && isUnseen(world) ? { ...newLedger(), ended: ledger.ended } : ledger,
          random,
        )
      if (random.chance(0.03)) writeIgnored(disk.tree, random)
    }
    await clock.advance(random.pick([0, 1, 3, 10, 40, 300]) ?? 0)
    if (random.chance(0.08)) await fault(world, figures)
  }
  const isSettled = await settle(world)
  const lost = lostContents(world)
  if (lost.length > 0)
    return `lost: ${lost
      .slice(0, 5)
      .map((one) => `${one} at ${ledger.born.get(one)}`)
      .join(', ')}`
  if (world.isTheirs) for (const content of here.kept) ledger.ended.add(content)
  world.isTheirs = false
  const other = differing(world)
  if (other.length > 0) return `diverged: ${other.slice(0, 5).join(', ')}`
  return isSettled ? undefined : `never complete: ${JSON.stringify(world.engine?.state().open.slice(0, 3))}`
}

export const runMemoryGate = async (
  seed: number,
  rounds: number,
): Promise<{ figures: GateFigures; failure?: string }> => {
  const world = newWorld(seed)
  const figures: GateFigures = { writes: 0, conflicts: 0, faults: 0 }
  world.whose = () => (world.random.chance(0.5) ? 'Mine' : 'Theirs')
  await start(world, figures)
  for (let round = 0; round < rounds; round += 1) {
    const failure = await memoryRound(world, figures)
    figures.writes = world.ledger.born.size
    if (failure !== undefined) return { figures, failure: `seed ${seed}, round ${round}: ${failure}` }
  }
  kill(world)
  return { figures }
}
