/** A development container that is starting: its progress, and what keeps it from running. */
import { listAt, objectAt, textAt } from '../cluster/json.ts'
import { allOf, type ClusterObject, labelOf, type Observed } from '../cluster/live.ts'
import { type Diagnostic, error } from '../diagnostic/diagnostic.ts'
import { MIRROR_LABEL } from '../k8s/labels.ts'
import { wordsOf } from '../rollout/detail.ts'
import { readRollout } from '../rollout/rollout.ts'
import type { Cause } from '../why/cause.ts'
import { findCauses } from '../why/causes.ts'
import { beginHistory, type History, recall } from '../why/history.ts'
import type { IsLooping, SeenForMs } from '../why/scene.ts'
import { isAgentContainer } from './agent-pod.ts'
import { installCauses, withoutConsequences } from './installing.ts'
import type { DevRecord } from './record.ts'

type Started = Pick<DevRecord, 'container' | 'dev' | 'mirror'>

/** `detail`: the progress. `hasPod`: there is a pod, running or not. `causes`: known problems. */
export type Starting = {
  readonly detail: string | undefined
  readonly hasPod: boolean
  readonly causes: ReadonlyArray<Cause>
  readonly history: History
}

export const beginStarting: Starting = { detail: undefined, hasPod: false, causes: [], history: beginHistory }

/** A sidecar that does not run does not prevent development, so it is left out. */
const withoutSidecars =
  (container: string) =>
  (pod: ClusterObject): ClusterObject => {
    const statuses = listAt(pod, 'status', 'containerStatuses').filter((status) => {
      const name = textAt(status, 'name') ?? ''
      return name === container || isAgentContainer(name)
    })
    return { ...pod, status: { ...objectAt(pod, 'status'), containerStatuses: statuses } }
  }

const withPods = (all: Observed, pods: ReadonlyArray<ClusterObject>): Observed =>
  new Map([...all, ['Pod', new Map(pods.map((pod) => [pod.metadata.name, pod]))] as const])

/** The pods of the mirror only, without parts that do not affect the developed container. */
const seenThrough = (container: string, mirror: string, all: Observed): Observed => {
  const own = allOf(all, 'Pod').filter((pod) => labelOf(pod, MIRROR_LABEL) === mirror)
  return withPods(all, own.map(withoutSidecars(container)))
}

/** Why the agent cannot be installed, or else why the developed container does not run. */
export const mirrorCauses = (
  { container, dev, mirror }: Started,
  all: Observed,
  seenForMs: SeenForMs,
  isLooping: IsLooping,
): ReadonlyArray<Cause> => {
  const ref = { kind: 'Deployment', name: mirror }
  const observed = seenThrough(container, mirror, all)
  const told = withPods(
    observed,
    allOf(observed, 'Pod').map((pod) => withoutConsequences(container, pod)),
  )
  const causes = findCauses(told, ref, seenForMs, isLooping).map((cause) => ({ ...cause, subject: dev }))
  return [...installCauses(dev, readRollout(observed, ref)?.pods ?? [], isLooping), ...causes]
}

/** `observed`: the mirror with its ReplicaSets, pods and their events. `atMs` by the clock of the run. */
export const startingOf = (started: Started, { history: before }: Starting, all: Observed, atMs: number): Starting => {
  const { container, mirror } = started
  const observed = seenThrough(container, mirror, all)
  const ref = { kind: 'Deployment', name: mirror }
  const looked = { ref, observed, isUnchanged: false, isBlocked: false, atMs }
  const { history, isLooping, seenForMs } = recall(before, looked)
  const pods = readRollout(observed, ref)?.pods ?? []
  const causes = mirrorCauses(started, all, seenForMs, isLooping)
  const [failed] = installCauses(started.dev, pods, isLooping)
  return {
    history,
    hasPod: pods.length > 0,
    detail: failed?.message ?? wordsOf(observed, pods),
    causes,
  }
}

const isOfAgent = ({ message }: Cause, agentImage: string): boolean => message.includes(agentImage)

/** DT5056. `detail`: shown when no cause is known. */
export const notStarted = (
  dev: string,
  agentImage: string,
  { causes: [cause], detail, hasPod }: Omit<Starting, 'history'>,
): Diagnostic => {
  const unknown = hasPod ? 'its container runs, but the agent in it does not answer' : 'there is no pod'
  const lines = [
    `${dev} does not start: ${cause?.message ?? detail ?? unknown}`,
    ...(cause?.event === undefined ? [] : [`event: ${cause.event}`]),
  ]
  const cure =
    cause !== undefined && isOfAgent(cause, agentImage)
      ? '--agent-image or DEVTOOL_AGENT_IMAGE names another image for the agent'
      : cause?.help
  const longer = cause?.isFinal === true ? undefined : `\`devtool up ${dev} --timeout 10m\` waits longer`
  const help = [cure, longer, `\`devtool down ${dev}\` restores the workload`].filter((one) => one !== undefined)
  return error('DT5056', lines.join('\n'), { help: help.join('; ') })
}
