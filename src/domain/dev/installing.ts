/** The containers that install the agent: whether they failed, and what that says about the developed container. */
import { at, type Json, listAt, numberAt, objectAt, textAt } from '../cluster/json.ts'
import type { ClusterObject } from '../cluster/live.ts'
import { type ContainerState, containersOf, isUnstarted } from '../rollout/pod.ts'
import type { Cause } from '../why/cause.ts'
import type { IsLooping } from '../why/scene.ts'
import { fillerName, installerName, isAgentContainer } from './agent-pod.ts'

const longestWords = 300

/**
 * They never end by themselves. A copy that cannot be started has no agent yet, or what keeps it from starting keeps the
 * developed container as well.
 */
const hasFailed = ({ before, ended, isRunning, name, waiting }: ContainerState): boolean => {
  if (!isAgentContainer(name) || isRunning) return false
  const last = ended ?? before
  if (name === fillerName && isUnstarted(last?.reason)) return false
  return last !== undefined || waiting?.reason === 'PostStartHookError'
}

/** What the installation said of itself; without that, what the node says of it. */
const wordsOf = ({ before, ended, waiting }: ContainerState): string => {
  const hook = waiting?.reason === 'PostStartHookError' ? waiting.message : ''
  const said = [(ended ?? before)?.message ?? '', hook].map((text) => text.trim()).find((text) => text !== '') ?? ''
  // A hook's error is followed by its output, which the error has already.
  const [error = ''] = said.split(', message: "', 1)
  const innermost = error.replace(/: unknown$/, '').split(/container process: | - error: /)
  return (innermost.at(-1) ?? '').slice(0, longestWords)
}

const help = '`initContainer: { image: ... }` of the section names the image of the agent: Node for Debian'

const failureOf = ({ image, name }: ContainerState): string =>
  name === fillerName
    ? `the files of the image ${image} cannot be copied into the volume`
    : `the agent cannot be installed from the image ${image}`

/** The node tries it again with growing pauses: final is what has failed several times. */
export const installCauses = (
  dev: string,
  pods: ReadonlyArray<ClusterObject>,
  isLooping: IsLooping,
): ReadonlyArray<Cause> =>
  pods.flatMap((pod) =>
    containersOf(pod)
      .filter(hasFailed)
      .map((container): Cause => {
        const words = wordsOf(container)
        return {
          code: 'DT5056',
          subject: dev,
          object: `Pod/${pod.metadata.name}`,
          message: `${failureOf(container)}${words === '' ? '' : `: ${words}`}`,
          ...(container.name === fillerName ? {} : { help }),
          isFinal: isUnstarted((container.ended ?? container.before)?.reason) || isLooping(pod.metadata.uid, container),
        }
      }),
  )

/**
 * Without statuses that only repeat that the agent is not installed: its own, and that of the developed container, which
 * could not start without it. The node tries the latter later than the former.
 */
export const withoutConsequences = (container: string, pod: ClusterObject): ClusterObject => {
  const containers = containersOf(pod)
  const failed = new Set(containers.filter(hasFailed).map(({ name }) => name))
  const statuses = listAt(pod, 'status', 'containerStatuses')
  const installer = statuses.find((status) => textAt(status, 'name') === installerName)
  const isInstalledAgain = (numberAt(installer, 'restartCount') ?? 0) > 0
  const since = textAt(installer, 'state', 'running', 'startedAt') ?? ''
  const isStale = (status: Json): boolean => {
    const [ended, before] = [at(status, 'state', 'terminated'), at(status, 'lastState', 'terminated')]
    return isInstalledAgain && (textAt(ended ?? before, 'finishedAt') ?? since) <= since
  }
  const says = (status: Json): boolean => {
    const name = textAt(status, 'name') ?? ''
    if (name === container) return failed.size === 0 && !isStale(status)
    return name !== fillerName && !failed.has(name)
  }
  return { ...pod, status: { ...objectAt(pod, 'status'), containerStatuses: statuses.filter(says) } }
}
