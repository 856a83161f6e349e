/** Containers that have no log, and why: they have not started, or no earlier instance of them left one. */
import { textAt } from '../../domain/cluster/json.ts'
import { type ClusterObject, withLives } from '../../domain/cluster/live.ts'
import { containersOf, isOfEnvironment, type LogContainer, serviceOf } from '../../domain/logs/sources.ts'
import { wordsOf } from '../../domain/rollout/detail.ts'
import { hasCondition, isGoing } from '../../domain/rollout/pod.ts'
import { findCauses } from '../../domain/why/causes.ts'
import { isSelected, isWanted, type ReadLogs, type Recorded } from './request.ts'

export type Logless = { readonly message: string; readonly help: string }

/**
 * Init containers that have ended do not count as a start; one that runs or fails has a log that tells more, but not
 * once all others should run, as beside a sidecar.
 */
const isStarted = (wanted: ReadLogs, pod: ClusterObject): boolean => {
  const containers = containersOf(pod)
  if (containers.length === 0) {
    const isPending = textAt(pod, 'status', 'phase') === 'Pending'
    return !isPending || wanted.container !== undefined || !isSelected(wanted, { service: serviceOf(pod) })
  }
  const own = containers.filter((container) => isWanted(wanted, container))
  return (
    own.every(({ hasLog }) => hasLog) ||
    (!hasCondition(pod, 'Initialized') && own.some(({ hasLog, isOver }) => hasLog && !isOver))
  )
}

const reasonOf = (pod: ClusterObject): Logless => {
  const { kind, metadata } = pod
  const observed = withLives(new Map(), [pod])
  const [cause] = findCauses(observed, { kind, name: metadata.name }, () => 0)
  const service = serviceOf(pod)
  const why = `\`devtool why ${service}\` explains it`
  const words = cause?.message ?? wordsOf(observed, [pod])
  return {
    message: `${service} has not started${words === undefined ? '' : `: ${words}`}`,
    help: cause?.help === undefined ? why : `${cause.help}; ${why}`,
  }
}

const oneEach = (found: ReadonlyArray<Logless>): ReadonlyArray<Logless> => [
  ...new Map(found.map((each) => [each.message, each])).values(),
]

/** Containers that were restarted and have no earlier log: the runtime could not start it, or its node has removed it. */
export const withoutPrevious = (containers: ReadonlyArray<LogContainer>): ReadonlyArray<Logless> =>
  oneEach(
    containers
      .filter(({ hasLog, hasPrevious, restarts }) => hasLog && restarts > 0 && !hasPrevious)
      .map(({ refusal, service }) => ({
        message:
          refusal === undefined
            ? `${service} was restarted, but its node has not kept the earlier log`
            : `the instance of ${service} before this one could not be started: ${refusal}`,
        help: `\`devtool logs ${service}\` shows the log since then`,
      })),
  )

/** One for all pods of a service with the same reason. */
export const notStarted = (
  wanted: ReadLogs,
  { inventory }: Recorded,
  pods: ReadonlyArray<ClusterObject>,
): ReadonlyArray<Logless> => {
  const { environment } = wanted
  const found = pods
    .filter((pod) => environment === undefined || isOfEnvironment(pod, environment, inventory))
    .filter((pod) => !isGoing(pod) && !isStarted(wanted, pod))
  return oneEach(found.map(reasonOf))
}
