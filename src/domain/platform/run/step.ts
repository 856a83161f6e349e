/**
 * What the controller does about a run: nothing as long as the run's own program can still report its end; otherwise it
 * ends the run itself. Every write requires the record as it was read, and an ended run is never written again: a run
 * ends exactly once, however many controllers there are.
 */
import { at, type Json, listAt, numberAt, textAt } from '../../cluster/json.ts'
import type { ClusterObject } from '../../cluster/live.ts'
import { type Diagnostic, error } from '../../diagnostic/diagnostic.ts'
import { defined } from '../../object/defined.ts'
import { secondsBetween } from '../../text/moment.ts'
import { type Obstacle, obstacleOf } from './obstacle.ts'
import { type EndedStatus, hasEnded, type RunRecord } from './record.ts'
import { isJobOver } from './schedule.ts'

/** `job` and `pods`: those that exist now, and `events` about them. `isCancelled`: a cancellation was requested. */
export type RunSeen = {
  readonly run: RunRecord
  readonly isCancelled: boolean
  readonly job: ClusterObject | undefined
  readonly pods: ReadonlyArray<ClusterObject>
  readonly events: ReadonlyArray<ClusterObject>
  readonly now: string
}

/** `Stop`: delete the Job, whose pod then ends by itself. `Close`: write this record. */
export type RunAct =
  | { readonly _tag: 'Wait' }
  | { readonly _tag: 'Stop' }
  | { readonly _tag: 'Close'; readonly run: RunRecord }

/** A record without a Job, or a Job without a pod, is left alone for this long. */
export const PATIENCE_SECONDS = 120
/** A run that has not ended by itself this long after its timeout is stopped. */
const OVERTIME_SECONDS = 30

const wait: RunAct = { _tag: 'Wait' }
const stop: RunAct = { _tag: 'Stop' }

const ending = (
  run: RunRecord,
  now: string,
  status: EndedStatus,
  failure?: Diagnostic,
  exitStatus?: number,
): RunAct => ({
  _tag: 'Close',
  run: { ...run, status, ended: now, ...defined({ failure, exitStatus }) },
})

const TIMED_OUT = 6

export const timedOut = ({ timeoutSeconds }: Pick<RunRecord, 'timeoutSeconds'>): Diagnostic =>
  error('DT6402', `the run was stopped after ${timeoutSeconds} s`, { help: 'give it longer with --timeout' })

const broken = (why: string, help = 'start it again'): Diagnostic =>
  error('DT6401', `the run ended without a result: ${why}`, { help })

const isPodOver = (pod: ClusterObject): boolean =>
  ['Succeeded', 'Failed'].includes(textAt(pod, 'status', 'phase') ?? '')

const statusesOf = (pod: ClusterObject): ReadonlyArray<Json> => [
  ...listAt(pod, 'status', 'initContainerStatuses'),
  ...listAt(pod, 'status', 'containerStatuses'),
]

const OUT_OF_MEMORY = 'OOMKilled'

const memoryLimit = (pod: ClusterObject, container: string | undefined): string | undefined => {
  const all = [...listAt(pod, 'spec', 'initContainers'), ...listAt(pod, 'spec', 'containers')]
  return textAt(
    all.find((one) => textAt(one, 'name') === container),
    ...['resources', 'limits', 'memory'],
  )
}

/** `OOMKilled` says more than exit status 137. */
const ofContainer = (pod: ClusterObject, status: Json): string | undefined => {
  const [name, code] = [textAt(status, 'name'), numberAt(status, 'state', 'terminated', 'exitCode')]
  const reason = textAt(status, 'state', 'terminated', 'reason')
  if (code === undefined || code === 0) return undefined
  const limit = reason === OUT_OF_MEMORY ? memoryLimit(pod, name) : undefined
  if (limit !== undefined) return `its container ${name} exceeded its memory limit of ${limit}`
  return reason === undefined || reason === 'Error'
    ? `its container ${name} ended with status ${code}`
    : `its container ${name} was ended: ${reason}`
}

/** Says the node about a volume. */
const TOO_LARGE = /exceeds the limit "([^"]+)"/

/** The cluster's reason for the end of the pod. */
const whyEnded = (pods: ReadonlyArray<ClusterObject>, job: ClusterObject | undefined): string => {
  const ofPods = pods.map((pod) => {
    const [reason, message] = [textAt(pod, 'status', 'reason'), textAt(pod, 'status', 'message')]
    const [, limit] = TOO_LARGE.exec(message ?? '') ?? []
    if (limit !== undefined) return `its files, with the repository, take more than ${limit}`
    if (reason !== undefined) return message === undefined ? reason : `${reason}: ${message}`
    return statusesOf(pod)
      .map((status) => ofContainer(pod, status))
      .find((text) => text !== undefined)
  })
  const ofJob = listAt(job, 'status', 'conditions')
    .filter((condition) => textAt(condition, 'type') === 'Failed')
    .map((condition) => textAt(condition, 'message'))[0]
  return ofPods.find((text) => text !== undefined) ?? ofJob ?? 'its pod is gone'
}

const isPastDeadline = (job: ClusterObject | undefined): boolean =>
  listAt(job, 'status', 'conditions').some((condition) => textAt(condition, 'reason') === 'DeadlineExceeded')

const isOverdueSince = (begun: string, { now, run: { timeoutSeconds } }: RunSeen): boolean =>
  secondsBetween(begun, now) > timeoutSeconds + OVERTIME_SECONDS

const isOverdue = (seen: RunSeen): boolean => seen.run.started !== undefined && isOverdueSince(seen.run.started, seen)

const closed = (seen: RunSeen): RunAct => {
  const { isCancelled, job, now, pods, run } = seen
  if (isCancelled) return ending(run, now, 'cancelled')
  if (isPastDeadline(job) || isOverdue(seen)) return ending(run, now, 'timed-out', timedOut(run), TIMED_OUT)
  return ending(run, now, 'failed', broken(whyEnded(pods, job)))
}

const neverStarted = (run: RunRecord, { help, message }: Obstacle): Diagnostic =>
  error('DT6402', `the run was stopped after ${run.timeoutSeconds} s: its pod has not started: ${message}`, { help })

const unable = ({ help, message }: Obstacle): Diagnostic => broken(`its pod cannot start: ${message}`, help)

/**
 * The acts for a run that was resumed and whose program has not begun. It is ended before Kubernetes does that, which
 * deletes the pod and with it the reason.
 */
const beginning = (seen: RunSeen, job: ClusterObject, resumed: string): RunAct => {
  const { events, now, pods, run } = seen
  const obstacle = obstacleOf(job, pods, events, now)
  if (obstacle?.isHopeless === true) return ending(run, now, 'failed', unable(obstacle))
  if (!isOverdueSince(resumed, seen)) return wait
  return ending(run, now, 'timed-out', obstacle === undefined ? timedOut(run) : neverStarted(run, obstacle), TIMED_OUT)
}

/** The acts for a run whose Job exists and has not ended. */
const underWay = (seen: RunSeen, job: ClusterObject): RunAct => {
  const { events, isCancelled, now, pods, run } = seen
  if (isCancelled) return stop
  const resumed = at(job, 'spec', 'suspend') === true ? undefined : textAt(job, 'status', 'startTime')
  if (pods.length === 0 && resumed !== undefined && secondsBetween(resumed, now) > PATIENCE_SECONDS) {
    const obstacle = obstacleOf(job, pods, events, now)
    const why = obstacle === undefined ? broken('the cluster has made no pod for it') : unable(obstacle)
    return ending(run, now, 'failed', why)
  }
  if (run.started === undefined) return resumed === undefined ? wait : beginning(seen, job, resumed)
  return isOverdue(seen) ? stop : wait
}

/** A program that has reported its end exits within this time. */
const LAST_SECONDS = 60

/** The acts for a run that was closed or replaced, which must not start or go on. */
const afterwards = ({ now, pods, run: { ended = '', started } }: RunSeen): RunAct =>
  started === undefined || (!pods.some(isPodOver) && secondsBetween(ended, now) > LAST_SECONDS) ? stop : wait

export const stepRun = (seen: RunSeen): RunAct => {
  const { isCancelled, job, now, pods, run } = seen
  const active = job !== undefined && job.metadata.deletionTimestamp === undefined && !isJobOver(job) ? job : undefined
  if (hasEnded(run)) return active === undefined ? wait : afterwards(seen)
  if (active !== undefined) return underWay(seen, active)
  // The run's program has been told to end, and reports that itself.
  if (!pods.every(isPodOver)) return wait
  const isYoung = job === undefined && pods.length === 0 && secondsBetween(run.created, now) < PATIENCE_SECONDS
  if (isYoung && run.started === undefined && !isCancelled) return wait
  return closed(seen)
}

/** The record of a run that never starts, because a newer one of the environment is queued. */
export const replacedRun = (run: RunRecord, by: string, now: string): RunRecord => ({
  ...run,
  status: 'cancelled',
  ended: now,
  replacedBy: by,
})
