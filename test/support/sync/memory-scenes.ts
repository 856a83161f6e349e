/** Single events that happen to a synchronisation in memory. */
import { connect, type GateFigures, kill, newWorld, quit, settle, start } from './memory-world.ts'
import { writeSomething } from './writers.ts'

/** One writer: its changes are never a conflict, however often it writes, and however often the link is cut. */
export const runOneWriter = async (seed: number, cuts: number): Promise<GateFigures> => {
  const world = newWorld(seed)
  const { clock, here, ledger, random } = world
  const figures: GateFigures = { writes: 0, conflicts: 0, faults: 0 }
  await start(world, figures)
  for (let turn = 0; turn < 300; turn += 1) {
    // Like most programs: first the file is empty.
    const path = `f${random.below(6)}`
    here.tree.write(path, '')
    if (random.chance(0.5)) await clock.advance(random.below(12))
    here.tree.write(path, `v${turn}`)
    if (random.chance(0.3)) writeSomething(here.tree, ledger, random)
    if (random.chance(cuts)) {
      world.ends.at(-1)?.cut()
      here.tree.write(path, `v${turn} while there is no link`)
      await connect(world)
    }
    await clock.advance(random.pick([0, 0, 1, 5, 30]) ?? 0)
  }
  figures.writes = 300
  await settle(world)
  kill(world)
  return figures
}

/**
 * All of many files are rewritten, and the link is cut, or one of the programs ended, while they are sent; and once more
 * before the next link.
 */
export const runCut = async (seed: number, files: number, how: 'cut' | 'killed' | 'quit'): Promise<GateFigures> => {
  const world = newWorld(seed)
  const { clock, here, random } = world
  const figures: GateFigures = { writes: 2 * files, conflicts: 0, faults: 1 }
  const writeAll = (text: string): void => {
    for (let index = 0; index < files; index += 1) here.tree.write(`f${index}`, `${text} ${index}`)
  }
  writeAll('first')
  await start(world, figures)
  await settle(world)
  writeAll('second')
  await clock.advance(20 + random.below(100))
  if (how === 'quit') {
    await quit(world)
    writeAll('third')
    await start(world, figures)
  } else {
    world.ends.at(-1)?.cut()
    if (how === 'killed') world.there.acts = undefined
    writeAll('third')
    await connect(world)
  }
  await settle(world)
  kill(world)
  return figures
}

/**
 * Folders with different files meet for the first time, and the program is killed meanwhile. Returns the files that
 * were lost.
 */
export const runMeeting = async (
  seed: number,
  files: number,
  how: 'Mine' | 'Theirs' | 'new' | 'lost',
): Promise<ReadonlyArray<string>> => {
  const world = newWorld(seed)
  const { clock, here, random, there } = world
  for (let index = 0; index < files; index += 1) {
    if (random.chance(0.8)) here.tree.write(`f${index}`, `mine ${index}`)
    if (random.chance(0.8)) there.tree.write(`f${index}`, `theirs ${index}`)
  }
  const all = [...here.tree.contents().values(), ...(how === 'new' ? [] : there.tree.contents().values())]
  const machine = how === 'lost' ? world.machine : 'other'
  if (how !== 'new') there.marker = { id: 'other', machine, user: 'other', atMs: 0 }
  if (how === 'Theirs') world.whose = () => how
  const figures = { writes: 0, conflicts: 0, faults: 0 }
  for (let kills = 0; kills < 2; kills += 1) {
    await start(world, figures)
    await clock.advance(random.below(120))
    kill(world)
  }
  await start(world, figures)
  await settle(world)
  kill(world)
  const found = new Set([...here.tree.contents().values(), ...there.tree.contents().values(), ...here.kept])
  return all.filter((content) => !found.has(content))
}

/**
 * The files of the container were chosen, and the link is cut, or the program killed, during their transfer. Returns
 * the files that this machine then has.
 */
export const runTheirs = async (seed: number, files: number, how: 'cut' | 'kill'): Promise<ReadonlyArray<string>> => {
  const world = newWorld(seed)
  const { clock, here, random, there } = world
  for (let index = 0; index < files; index += 1) {
    here.tree.write(`f${index}`, `mine ${index}`)
    there.tree.write(`f${index}`, `theirs ${index}`)
  }
  world.there.marker = { id: 'other', machine: 'other', user: 'other', atMs: 0 }
  world.whose = () => 'Theirs'
  await start(world, { writes: 0, conflicts: 0, faults: 0 })
  await clock.advance(20 + random.below(100))
  if (how === 'kill') {
    kill(world)
    await start(world, { writes: 0, conflicts: 0, faults: 0 })
  } else {
    world.ends.at(-1)?.cut()
    await connect(world)
  }
  await settle(world)
  kill(world)
  return [...here.tree.contents()].flatMap(([path, content]) => (/^f\d+$/.test(path) ? [content] : []))
}
