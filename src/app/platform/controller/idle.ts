/** Puts namespaces to sleep that nobody has used for longer than the administrators allow. */
import * as E from 'fp-ts/lib/Either.js'
import { lastChange } from '../../../domain/cluster/last-change.ts'
import { allOf, type Observed } from '../../../domain/cluster/live.ts'
import { resources } from '../../../domain/cluster/resources.ts'
import {
  type IdleNamespace,
  idleNamespaces,
  isOfDevelopment,
  isUse,
  sleepsAfter,
  USE_SELECTOR,
} from '../../../domain/platform/namespace/idle.ts'
import { sleepIn } from '../../../domain/sleep/record.ts'
import { runningIn } from '../../../domain/sleep/sleep.ts'
import { listed } from '../../../domain/text/listed.ts'
import { secondsBetween } from '../../../domain/text/moment.ts'
import { observe } from '../../dev/rounds.ts'
import { machineOf, silent } from '../../environment/server.ts'
import type { SleepWorld } from '../../sleep/lock.ts'
import { stopWorkloads } from '../../sleep/sleep.ts'
import { answered } from './acting.ts'
import type { ControllerWorld, KnownObjects } from './world.ts'

/** In the record of the sleep. */
const WHO = 'the platform'
const [SHORTEST_PAUSE_MS, LONGEST_PAUSE_MS] = [5000, 300_000]
const LONGEST_SLEEP_MS = 60_000

/** Whether the platform began this sleep; a user who began one completes it. */
const isOurs = (observed: Observed): boolean => {
  const record = sleepIn(observed)
  return E.isRight(record) && record.right?.state === 'Asleep' && record.right.who === WHO
}

/** What runs may have been changed without devtool. */
const lastUse = (observed: Observed): string =>
  [...runningIn(observed), ...allOf(observed, 'ConfigMap').filter(isUse)]
    .map(lastChange)
    .reduce((a, b) => (a < b ? b : a), '')

/** `seen`: when a namespace was found to be in use. `finished`: those that sleep completely. */
type Memory = { readonly seen: Map<string, string>; readonly finished: Set<string> }

const letSleep = async (
  world: ControllerWorld,
  { isAsleep, limit, name }: IdleNamespace,
  { finished, seen }: Memory,
  signal: AbortSignal,
): Promise<void> => {
  const { clock, cluster, count, holder, mayWrite, note } = world
  const ports = { clock, machine: machineOf(holder), progress: silent }
  const rounds: SleepWorld = { ports, target: { cluster, namespace: name }, signal }
  const observed = await observe(rounds)()
  if (E.isLeft(observed)) return
  if (isAsleep && !isOurs(observed.right)) return void finished.add(name)
  const running = runningIn(observed.right)
  const isWanted = (now: Observed): boolean =>
    isAsleep ? isOurs(now) : runningIn(now).length > 0 && secondsBetween(lastUse(now), clock.date()) >= limit
  if (!isWanted(observed.right)) {
    return void seen.set(name, running.length === 0 ? clock.date() : lastUse(observed.right))
  }
  if (!(await mayWrite())) return
  finished.delete(name)
  const slept = await stopWorkloads(rounds, WHO, isWanted)()
  if (E.isLeft(slept)) return note('failed', `sleep ${name}: ${listed(slept.left.map(({ message }) => message))}`)
  if (slept.right === undefined) return
  finished.add(name)
  if (running.length === 0) return
  count('asleep')
  note('asleep', name)
}

const look = async (
  world: ControllerWorld,
  { namespaces, records }: KnownObjects,
  memory: Memory,
  signal: AbortSignal,
): Promise<void> => {
  const { clock, cluster, sleepAfterSeconds: usual } = world
  const { finished, seen } = memory
  const selection = { resource: resources.ConfigMap, labels: USE_SELECTOR }
  const kept = (await answered(cluster.list(selection, { isMetadataOnly: true, signal })))?.value.items
  if (kept === undefined) return
  const now = clock.date()
  // Nothing in the cluster shows later when a development container ended.
  for (const live of kept.filter(isOfDevelopment)) seen.set(live.metadata.namespace ?? '', now)
  for (const name of [...seen.keys()]) if (!namespaces.has(`/${name}`)) seen.delete(name)
  const busy = new Set([...records.values()].map(({ metadata }) => metadata.namespace ?? ''))
  for (const idle of idleNamespaces({ namespaces: namespaces.values(), kept, busy, seen, usual, now })) {
    if (signal.aborted) return
    if (idle.isAsleep && finished.has(idle.name)) continue
    await letSleep(world, idle, memory, AbortSignal.any([signal, clock.timeout(LONGEST_SLEEP_MS)]))
  }
}

/** Runs until the signal is aborted. `known`: `undefined` while not everything is known. */
export const tendIdle = async (
  world: ControllerWorld,
  known: () => KnownObjects | undefined,
  signal: AbortSignal,
): Promise<void> => {
  const { clock, sleepAfterSeconds } = world
  const memory: Memory = { seen: new Map(), finished: new Set() }
  while (!signal.aborted) {
    const objects = known()
    const limits = [...(objects?.namespaces.values() ?? [])].flatMap(
      (live) => sleepsAfter(live, sleepAfterSeconds) ?? [],
    )
    const shortest = limits.reduce((a, b) => Math.min(a, b), Number.MAX_SAFE_INTEGER)
    if (objects !== undefined && limits.length > 0) await look(world, objects, memory, signal)
    // Without any limit so far, a namespace may still get one at any time.
    const pause = limits.length === 0 ? LONGEST_PAUSE_MS / 10 : (shortest * 1000) / 10
    await clock.sleep(Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, pause)), signal)
  }
}
