/** Commands that run after a container has started and before it is stopped. */
import { listAt, textAt } from '../cluster/json.ts'
import { allOf, type ClusterObject } from '../cluster/live.ts'
import type { Happening } from '../rollout/events.ts'
import { readHappening } from '../rollout/events.ts'
import type { ContainerState } from '../rollout/pod.ts'
import type { Cause } from './cause.ts'
import { causeOf, evidence, logContextOf, nameOf, newest, readLogs, type Scene } from './scene.ts'

const longestCommand = 120

/** `(sh -c "./migrate")`, when the hook is a command. */
const commandOf = ({ spec }: ContainerState, hook: 'postStart' | 'preStop'): string => {
  const words = listAt(spec, 'lifecycle', hook, 'exec', 'command').flatMap((word) =>
    typeof word === 'string' ? [word] : [],
  )
  const text = words.join(' ')
  if (text === '') return ''
  return ` (${text.length > longestCommand ? `${text.slice(0, longestCommand)}...` : text})`
}

const isOf = ({ name }: ContainerState, { container }: Happening): boolean =>
  container === undefined || container === name

/** A container whose post_start fails is stopped at once, whatever its program does. */
export const hookCauses = (scene: Scene, pod: ClusterObject, container: ContainerState): ReadonlyArray<Cause> => {
  if (container.isReady && container.isRunning) return []
  const said = newest(scene, pod, (each) => each.reason === 'FailedPostStartHook' && isOf(container, each))
  if (said === undefined) return []
  const logs = { pod: pod.metadata.name, container: container.name, isPrevious: container.isRunning }
  return [
    causeOf(scene, pod, {
      code: 'DT3191',
      message: `the post_start command of ${nameOf(scene, container)}${commandOf(container, 'postStart')} fails, so the container is stopped`,
      help: 'the command runs as soon as the container has started, perhaps before its program is ready: let it wait for what it needs, and end with 0',
      next: readLogs(scene, logs),
      isFinal: scene.isLooping(pod.metadata.uid, container),
      logs,
      logContext: logContextOf(scene, pod, container),
      ...evidence(said),
    }),
  ]
}

/** Includes pods that are gone: their events stay for an hour. */
const preStopFailure = ({ observed, workload }: Scene): Happening | undefined =>
  allOf(observed, 'Event')
    .filter((event) => (textAt(event, 'involvedObject', 'name') ?? '').startsWith(`${workload.metadata.name}-`))
    .map(readHappening)
    .find(({ reason }) => reason === 'FailedPreStopHook')

/** A failing pre_stop does not prevent the stop, but its work was not done. */
export const preStopRemarks = (scene: Scene): ReadonlyArray<Cause> => {
  const said = preStopFailure(scene)
  const containers = listAt(scene.workload, 'spec', 'template', 'spec', 'containers')
  const hook = containers.find((spec) => textAt(spec, 'name') === said?.container)
  if (said === undefined || listAt(hook, 'lifecycle', 'preStop', 'exec', 'command').length === 0) return []
  return [
    causeOf(scene, scene.workload, {
      code: 'DT3191',
      message: 'its pre_stop command fails: the container is stopped all the same',
      help: 'run the command inside the container to see why, and let it end with 0',
      isFinal: false,
      ...evidence(said),
    }),
  ]
}
