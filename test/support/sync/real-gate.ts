/**
 * Rounds of users at both ends of a synchronisation over folders on disk, with the two ends as programs: they are
 * killed, the link between them is cut, the base is damaged, the container is replaced, another machine takes over.
 */
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Random, randomOf } from './random.ts'
import { cut, newWire, type Program, start, stop, type Wire } from './real-programs.ts'
import { contentOf, hashesIn, type RealLedger, type RealTree, unfinishedIn, useTree } from './real-tree.ts'

type RealFigures = { rounds: number; writes: number; faults: number; conflicts: number }

/** Built programs: `near` has the engine, `far` is the end in the container. */
export type GatePrograms = { readonly near: string; readonly far: string }

type NearState = {
  readonly isComplete: boolean
  readonly isLooked: boolean
  readonly open: ReadonlyArray<unknown>
  readonly conflicts: number
  readonly left: ReadonlyArray<string>
  readonly hindrances: ReadonlyArray<string>
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

type World = {
  readonly folder: string
  readonly random: Random
  readonly programs: GatePrograms
  readonly here: RealTree
  readonly there: RealTree
  readonly ledger: RealLedger
  readonly wire: Wire
  readonly figures: RealFigures
  near: Program
  far: Program
  machine: string
  /**
   * The files of the container were chosen in a folder of another machine: files of this machine that they replace are
   * kept as copies.
   */
  isTheirs: boolean
  conflicts: number
  /** Nobody has looked at the container yet: its files count as those of its image. */
  isFresh: boolean
}

const startFar = async ({
  folder,
  programs,
  there,
}: Pick<World, 'folder' | 'programs' | 'there'>): Promise<Program> => {
  fs.rmSync(join(folder, 'far.sock'), { force: true })
  const far = start(programs.far, [there.root, join(folder, 'far.sock')])
  await far.lines.next()
  return far
}

const startNear = ({
  folder,
  here,
  isTheirs,
  machine,
  programs,
}: Pick<World, 'folder' | 'here' | 'isTheirs' | 'machine' | 'programs'>): Program =>
  start(programs.near, [here.root, join(folder, 'wire.sock'), folder, machine, isTheirs ? 'Theirs' : 'Mine'])

/** Undefined: it died before it could report. */
const stateOf = async ({ near }: World): Promise<NearState | undefined> => {
  near.tell('state')
  const line = await Promise.race([near.lines.next(), near.gone.then(() => undefined)])
  return line === undefined || line.done === true ? undefined : JSON.parse(line.value)
}

const restartDead = async (world: World): Promise<void> => {
  if (world.far.child.exitCode !== null || world.far.child.signalCode !== null) {
    world.far = await startFar(world)
    cut(world.wire)
  }
  if (world.near.child.exitCode !== null || world.near.child.signalCode !== null) world.near = startNear(world)
}

/** Files that were only there are gone with the container; its image has a file of its own. */
const replaceContainer = async (world: World): Promise<void> => {
  const { here, ledger, there } = world
  await stop(world.near)
  await stop(world.far)
  const kept = new Set(hashesIn(contentOf(here.root)))
  for (const hash of hashesIn(contentOf(there.root))) if (!kept.has(hash)) ledger.ended.add(hash)
  fs.rmSync(there.root, { recursive: true })
  fs.mkdirSync(there.root)
  fs.writeFileSync(join(there.root, 'f1'), 'of the image')
  world.isFresh = true
  world.far = await startFar(world)
  world.near = startNear(world)
}

const base = ({ folder }: World): string => join(folder, 'base')
const kept = ({ folder }: World): string => join(folder, 'kept')

/** Like unmounting its file system for a moment while the program runs: one that starts then uses the other folder. */
const exchangeRoot = async (world: World): Promise<void> => {
  const { folder, here, random } = world
  await stateOf(world)
  const aside = join(folder, 'aside')
  fs.renameSync(here.root, aside)
  fs.mkdirSync(here.root)
  await wait(random.below(60))
  fs.rmSync(here.root, { recursive: true })
  fs.renameSync(aside, here.root)
}

const fault = async (world: World): Promise<void> => {
  const { far, figures, near, random, wire } = world
  figures.faults += 1
  switch (random.below(10)) {
    case 0:
    case 1:
      wire.cutAfter = random.below(20_000)
      return
    case 2:
    case 3:
      return far.tell(`die ${1 + random.below(40)}`)
    case 4:
    case 5:
      return near.tell(`die ${1 + random.below(40)}`)
    case 6:
      if (random.chance(0.6)) return replaceContainer(world)
      await stop(near)
      if (fs.existsSync(base(world))) fs.truncateSync(base(world), random.below(fs.statSync(base(world)).size))
      world.near = startNear(world)
      return
    case 7:
      await stop(near)
      fs.rmSync(base(world), { force: true })
      world.machine = `machine${random.below(3)}`
      if (random.chance(0.5) && !world.isTheirs) {
        world.isTheirs = true
        fs.rmSync(kept(world), { recursive: true, force: true })
      }
      world.near = startNear(world)
      return
    case 8:
      near.tell('quit')
      await Promise.race([near.gone, wait(2000)])
      await stop(near)
      world.near = startNear(world)
      return
    case 9:
      return exchangeRoot(world)
  }
}

/** Paths at which the ends differ, except where that is intended. */
const differing = (world: World, state: NearState): ReadonlyArray<string> => {
  const [here, there] = [contentOf(world.here.root), contentOf(world.there.root)]
  const left = new Set(state.left)
  const isOwn = (path: string): boolean => path.split('/').includes('ignored') || left.has(path)
  const isOfOneEnd = (tree: ReadonlyMap<string, string>, path: string): boolean => {
    const below = [...tree.keys()].filter((one) => one.startsWith(`${path}/`))
    return tree.get(path) === 'd' && below.length > 0 && below.every((one) => isOwn(one) || tree.get(one) === 'd')
  }
  return [...new Set([...here.keys(), ...there.keys()])].filter((path) => {
    if (isOwn(path) || here.get(path) === there.get(path)) return false
    if (state.hindrances.some((one) => path === one || path.startsWith(`${one}/`))) return false
    return !isOfOneEnd(here, path) && !isOfOneEnd(there, path)
  })
}

/** The whole machine may pause for minutes: then nothing else made progress either. */
const settleMs = 60_000
const mostStepMs = 200

/** Returns what is wrong. */
const settle = async (world: World): Promise<string | undefined> => {
  let leftMs = settleMs
  let askedAt = 0
  let beforeMs = performance.now()
  for (;;) {
    leftMs -= Math.min(mostStepMs, performance.now() - beforeMs)
    beforeMs = performance.now()
    await restartDead(world)
    const state = await stateOf(world)
    // Lost events are made up for by a look at everything, every minute.
    if (performance.now() - askedAt > 400) {
      world.near.tell('whole')
      askedAt = performance.now()
      await wait(10)
      continue
    }
    if (state?.isComplete === true) {
      const other = differing(world, state)
      const unfinished = [world.here, world.there].flatMap(({ root }) => unfinishedIn(root))
      if (other.length === 0 && unfinished.length === 0) {
        world.figures.conflicts += Math.max(0, state.conflicts - world.conflicts)
        world.conflicts = state.conflicts
        return undefined
      }
      if (leftMs < 0)
        return other.length > 0
          ? `diverged: ${other.slice(0, 5).join(', ')}`
          : `left: ${unfinished.slice(0, 5).join(', ')}`
    } else if (leftMs < 0) return `never complete: ${JSON.stringify(state)}`
    await wait(10)
  }
}

const lostIn = (world: World): ReadonlyArray<string> => {
  const { here, isTheirs, ledger, there } = world
  const roots = [here.root, there.root, ...(isTheirs ? [kept(world)] : [])]
  const found = new Set(roots.flatMap((root) => hashesIn(contentOf(root))))
  return [...ledger.born].flatMap(([hash, path]) =>
    found.has(hash) || ledger.ended.has(hash) ? [] : [`${hash.slice(0, 8)} at ${path}`],
  )
}

const round = async (world: World): Promise<string | undefined> => {
  const { here, ledger, random, there, wire } = world
  for (let turn = 0; turn < 14; turn += 1) {
    if (world.isFresh) world.isFresh = (await stateOf(world))?.isLooked !== true
    for (const tree of [here, there]) {
      if (random.chance(0.8) && !(tree === there && world.isFresh)) useTree(tree, ledger, random)
    }
    await wait(random.pick([0, 0, 1, 3, 10, 25]) ?? 0)
    if (random.chance(0.07)) await fault(world)
    await restartDead(world)
  }
  wire.cutAfter = Number.POSITIVE_INFINITY
  const wrong = await settle(world)
  const lost = lostIn(world)
  if (world.isTheirs && wrong === undefined) {
    for (const hash of hashesIn(contentOf(kept(world)))) ledger.ended.add(hash)
    world.isTheirs = false
  }
  world.figures.rounds += 1
  world.figures.writes = ledger.born.size
  return lost.length > 0 ? `lost: ${lost.slice(0, 5).join(', ')}` : wrong
}

export type GateResult = { readonly figures: RealFigures; readonly failure?: string }

export const runRealGate = async (seed: number, rounds: number, programs: GatePrograms): Promise<GateResult> => {
  const folder = fs.mkdtempSync(join(tmpdir(), 'gate-sync-'))
  const treeOf = (name: string): RealTree => {
    const tree = { root: join(folder, name), grave: join(folder, `${name}-grave`) }
    for (const path of Object.values(tree)) fs.mkdirSync(path)
    return tree
  }
  const [here, there] = [treeOf('here'), treeOf('there')]
  const begun = { folder, programs, here, there, machine: 'machine0', isTheirs: false, random: randomOf(seed) }
  const wire = await newWire(join(folder, 'wire.sock'), join(folder, 'far.sock'))
  const far = await startFar(begun)
  const near = startNear(begun)
  const figures: RealFigures = { rounds: 0, writes: 0, faults: 0, conflicts: 0 }
  const ledger: RealLedger = { born: new Map(), ended: new Set() }
  const world: World = { ...begun, wire, far, near, figures, ledger, conflicts: 0, isFresh: true }
  let failure: string | undefined
  for (let done = 0; done < rounds && failure === undefined; done += 1) {
    failure = await round(world)
    if (failure !== undefined) failure = `seed ${seed}, round ${done}: ${failure} (${folder})`
  }
  await Promise.all([stop(world.near), stop(world.far)])
  wire.server.close()
  cut(wire)
  if (failure === undefined) fs.rmSync(folder, { recursive: true })
  return failure === undefined ? { figures } : { figures, failure }
}
