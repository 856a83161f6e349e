/** Remarks on a service that is currently healthy: pods that come and go, and names that do not exist. */
import { textAt } from '../cluster/json.ts'
import { ifDefined } from '../object/defined.ts'
import { containersOf, type Ended, isPodReady } from '../rollout/pod.ts'
import type { Cause } from './cause.ts'
import { preStopRemarks } from './hook.ts'
import { keysOf } from './keys.ts'
import { readLines } from './log.ts'
import { causeOf, describe, logContextOf, nameOf, readLogs, type Scene } from './scene.ts'

const times = (count: number): string => (count === 1 ? 'once' : `${count} times`)

/** Pods that were evicted stay in the list until they are collected. */
const evictions = (scene: Scene): ReadonlyArray<Cause> => {
  const gone = scene.rollout.pods.filter((pod) => textAt(pod, 'status', 'reason') === 'Evicted')
  const last = gone
    .toSorted((a, b) => ((textAt(a, 'status', 'startTime') ?? '') < (textAt(b, 'status', 'startTime') ?? '') ? -1 : 1))
    .at(-1)
  if (last === undefined) return []
  const text = textAt(last, 'status', 'message')?.trim()
  return [
    causeOf(scene, last, {
      code: 'DT3194',
      message: `healthy, but evicted ${times(gone.length)}`,
      help: 'request what it really needs (deploy.resources.reservations), so that it is put where there is room, or raise the limit in the message',
      next: describe(scene, last),
      isFinal: false,
      ...ifDefined(text, (said) => ({ event: `Evicted: ${said}` })),
    }),
  ]
}

const manyRestarts = 3

/** The node may have removed the last instance, with the reason for its end. */
const endOf = (before: Ended | undefined): { readonly words: string; readonly help: string } => {
  if (before === undefined) return { words: '', help: 'its node has not kept why; the log so far may say it' }
  return before.reason === 'OOMKilled'
    ? { words: ', the last time after out of memory', help: `raise its memory limit (${keysOf('limits.memory')})` }
    : {
        words: `, the last time after exit code ${before.exitCode}`,
        help: 'the log of the last run says why it ended',
      }
}

const restarts = (scene: Scene): ReadonlyArray<Cause> =>
  scene.rollout.pods.filter(isPodReady).flatMap((pod) =>
    containersOf(pod).flatMap((container) => {
      const { before, role } = container
      if (role === 'Init' || container.restarts < manyRestarts) return []
      const { help, words } = endOf(before)
      const logs = { pod: pod.metadata.name, container: container.name, isPrevious: before !== undefined }
      return [
        causeOf(scene, pod, {
          code: 'DT3194',
          message: `healthy, but ${nameOf(scene, container)} was restarted ${times(container.restarts)}${words}`,
          help,
          next: readLogs(scene, logs),
          isFinal: false,
          logs,
        }),
      ]
    }),
  )

/** Remarks are warnings: they do not make a service unhealthy. `isFine`: nothing else is wrong with it. */
export const findRemarks = (scene: Scene, isFine: boolean): ReadonlyArray<Cause> => [
  ...(isFine ? [...evictions(scene), ...restarts(scene)] : []),
  ...preStopRemarks(scene),
]

/** The log of a running container, which may repeat that something is missing. `undefined`: nothing to report. */
export const loopOf = (scene: Scene): Cause | undefined => {
  const pod = scene.rollout.pods.find(isPodReady)
  const container =
    pod === undefined ? undefined : containersOf(pod).find(({ isRunning, role }) => isRunning && role === 'App')
  if (pod === undefined || container === undefined) return undefined
  const logs = { pod: pod.metadata.name, container: container.name, isPrevious: false }
  return causeOf(scene, pod, {
    code: 'DT3190',
    message: 'healthy, but its log repeats',
    next: readLogs(scene, logs),
    isFinal: false,
    logs,
    logContext: logContextOf(scene, pod, container),
  })
}

/** Only messages that the last lines repeat, and only about names that do not exist. */
export const readLoop = (loop: Cause, lines: ReadonlyArray<string>): Cause | undefined => {
  const said = lines.flatMap((line) => readLines([line], loop.logContext ?? { services: [], mounts: [] }) ?? [])
  const last = said.findLast(({ code }) => code === 'DT3190')
  const count = said.filter(({ message }) => message === last?.message).length
  return last === undefined || count < 2
    ? undefined
    : { ...loop, message: `healthy, but its log repeats: ${last.message}`, help: last.help }
}
