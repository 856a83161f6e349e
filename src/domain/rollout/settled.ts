/**
 * Whether containers keep running. A container without a health check is ready as soon as it runs, so it has to run for
 * a while without a restart before it counts.
 */
import { at, textAt } from '../cluster/json.ts'
import type { ClusterObject } from '../cluster/live.ts'
import { type ContainerState, containersOf, isPodReady } from './pod.ts'

/** How long it has to run, by our clock, from the event that showed it running. */
export const settleMs = 3000

/** For one that has ended before: a busy kubelet can take seconds to tell that it ended again. */
export const settleAgainMs = 10_000

const settleOf = ({ restarts }: ContainerState): number => (restarts === 0 ? settleMs : settleAgainMs)

/** Tells one run of a container from the next. */
export const runOf = ({ name, restarts }: ContainerState): string => `${name} runs, restarted ${restarts} times`

const isUnchecked = ({ role, spec }: ContainerState): boolean =>
  role !== 'Init' && at(spec, 'readinessProbe') === undefined && at(spec, 'startupProbe') === undefined

/** Evicted pods stay until they are collected; others take their place. */
const isOver = (pod: ClusterObject): boolean => /^(Failed|Succeeded)$/.test(textAt(pod, 'status', 'phase') ?? '')

/** A controller's counts lag behind its pods. */
export const areReady = (pods: ReadonlyArray<ClusterObject>): boolean =>
  pods.every((pod) => isOver(pod) || isPodReady(pod))

/** How long the pods must go on running: 0 when they have run for long enough. */
export const unsettledMs = (
  pods: ReadonlyArray<ClusterObject>,
  ranForMs: (uid: string, run: string) => number,
): number => {
  let left = 0
  for (const pod of pods) {
    if (!isPodReady(pod)) continue
    for (const container of containersOf(pod)) {
      if (!isUnchecked(container) || !container.isRunning) continue
      left = Math.max(left, settleOf(container) - ranForMs(pod.metadata.uid, runOf(container)))
    }
  }
  return left
}
