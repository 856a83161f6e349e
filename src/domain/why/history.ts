/**
 * The history of a wait: since when each state has lasted, and how often containers were restarted since the wait
 * began.
 */
import type { Observed } from '../cluster/live.ts'
import { type ContainerState, containersOf } from '../rollout/pod.ts'
import { readRollout, type WorkloadRef } from '../rollout/rollout.ts'
import { runOf, settleSlowlyMs } from '../rollout/settled.ts'
import { type IsLooping, PATIENCE_MS, type SeenForMs } from './scene.ts'

/**
 * `since`: when each state was first seen. `restarts`: of each container, those before the wait, which do not count.
 */
export type History = {
  readonly isNew: boolean
  readonly since: ReadonlyMap<string, number>
  readonly restarts: ReadonlyMap<string, number>
}

export const beginHistory: History = { isNew: true, since: new Map(), restarts: new Map() }

/** A container that ends again after this many restarts counts as failed. */
const mostRestartsOf = (failsFast: boolean): number => (failsFast ? 1 : 3)

type Look = {
  readonly ref: WorkloadRef
  readonly observed: Observed
  readonly isUnchanged: boolean
  /** A service that it depends on is not ready, so an exit is no failure yet. */
  readonly isBlocked: boolean
  /** Already the first restart counts as a failure. */
  readonly failsFast?: boolean
  readonly atMs: number
}

/**
 * Adds an observation to the history. The returned functions read the history, and record the states that they are
 * asked about.
 */
export const recall = (
  before: History,
  { atMs, failsFast = false, isBlocked, isUnchanged, observed, ref }: Look,
): { readonly history: History; readonly seenForMs: SeenForMs; readonly isLooping: IsLooping } => {
  const [since, restarts] = [new Map(before.since), new Map(before.restarts)]
  const seenForMs: SeenForMs = (uid, what) => {
    const key = `${uid} ${what}`
    const first = since.get(key) ?? atMs
    since.set(key, first)
    return atMs - first
  }
  for (const pod of readRollout(observed, ref)?.pods ?? []) {
    const { uid } = pod.metadata
    for (const container of containersOf(pod)) {
      if (before.isNew || isBlocked) restarts.set(`${uid} ${container.name}`, container.restarts)
      // A container that ran before the deploy began does not have to prove that it keeps running.
      const isOld = before.isNew && isUnchanged && container.isRunning && container.restarts === 0
      if (isOld) since.set(`${uid} ${runOf(container)}`, atMs - settleSlowlyMs)
    }
  }
  const mostRestarts = mostRestartsOf(failsFast)
  const isLooping = (uid: string, container: ContainerState): boolean => {
    const { isRunning, name, restarts: all, waiting } = container
    if (isRunning || isBlocked) return false
    if (all - (restarts.get(`${uid} ${name}`) ?? 0) >= mostRestarts) return true
    // After many restarts the kubelet pauses for minutes, so the next restart may not happen within the wait.
    const isPaused = waiting?.reason === 'CrashLoopBackOff' && all >= mostRestarts
    return isPaused && seenForMs(uid, `${name} waits after restart ${all}`) >= PATIENCE_MS
  }
  return { history: { isNew: false, since, restarts }, seenForMs, isLooping }
}
