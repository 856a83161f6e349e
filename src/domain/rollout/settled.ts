/**
 * Whether containers keep running. A container without a health check is ready as soon as it runs, so it has to run for
 * a while without a restart before it counts. Its log tells whether it does: the runtime closes that of a container
 * that has ended at once, while the status comes from the kubelet, seconds later on a busy node. There programs take
 * seconds to fail, too, so one that has failed before has to run for longer.
 */
import { at, textAt } from '../cluster/json.ts'
import type { ClusterObject } from '../cluster/live.ts'
import { type ContainerState, containersOf, isPodReady } from './pod.ts'

/** How long it has to run, by our clock, from the event that showed it running, when its log stays open. */
export const settleMs = 3000

/** The last part of that time, in which its log is followed. */
export const followMs = 2000

/** How long it has to run when its log cannot be followed, or when it has ended before. */
export const settleSlowlyMs = 10_000

/** Tells one run of a container from the next. */
export const runOf = ({ name, restarts }: ContainerState): string => `${name} runs, restarted ${restarts} times`

/** A run of a container. `key` is unique. */
export type ContainerRun = { readonly key: string; readonly pod: string; readonly container: string }

/** By the keys of runs: whether their logs stayed open. */
export type FollowedLogs = ReadonlyMap<string, boolean>

const isUnchecked = ({ role, spec }: ContainerState): boolean =>
  role !== 'Init' && at(spec, 'readinessProbe') === undefined && at(spec, 'startupProbe') === undefined

/** Evicted pods stay until they are collected; others take their place. */
const isOver = (pod: ClusterObject): boolean => /^(Failed|Succeeded)$/.test(textAt(pod, 'status', 'phase') ?? '')

/** A controller's counts lag behind its pods. */
export const areReady = (pods: ReadonlyArray<ClusterObject>): boolean =>
  pods.every((pod) => isOver(pod) || isPodReady(pod))

/**
 * `leftMs`: how long the pods must go on running; not above 0 when they have run for long enough. `unheard`: the runs
 * whose logs can now tell.
 */
export const unsettled = (
  pods: ReadonlyArray<ClusterObject>,
  ranForMs: (uid: string, run: string) => number,
  followed: FollowedLogs,
): { readonly leftMs: number; readonly unheard: ReadonlyArray<ContainerRun> } => {
  let leftMs = 0
  const unheard: Array<ContainerRun> = []
  for (const pod of pods) {
    if (!isPodReady(pod)) continue
    const { name, uid } = pod.metadata
    for (const container of containersOf(pod)) {
      if (!isUnchecked(container) || !container.isRunning) continue
      const key = `${uid} ${runOf(container)}`
      const ranMs = ranForMs(uid, runOf(container))
      const isFirst = container.restarts === 0
      leftMs = Math.max(leftMs, (isFirst && followed.get(key) === true ? settleMs : settleSlowlyMs) - ranMs)
      const isDue = isFirst && !followed.has(key) && ranMs >= settleMs - followMs && ranMs < settleSlowlyMs
      if (isDue) unheard.push({ key, pod: name, container: container.name })
    }
  }
  return { leftMs, unheard }
}
