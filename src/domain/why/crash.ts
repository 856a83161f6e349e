/** Containers that start and then exit: crashes, out of memory, init containers. */

import { numberAt, textAt } from '../cluster/json.ts'
import type { ClusterObject } from '../cluster/live.ts'
import { defined } from '../object/defined.ts'
import type { ContainerState, Ended } from '../rollout/pod.ts'
import type { Cause, LogRef } from './cause.ts'
import { keysOf } from './keys.ts'
import { causeOf, evidence, type Finding, logContextOf, nameOf, newest, readLogs, type Scene } from './scene.ts'

const meanings: ReadonlyMap<number, string> = new Map([
  [126, 'the command is not executable'],
  [127, 'the command is not found'],
  [134, 'aborted'],
  [135, 'bus error'],
  [137, 'killed'],
  [139, 'segmentation fault'],
  [143, 'terminated'],
])

const helps: ReadonlyMap<number, string> = new Map([
  [135, 'its shared memory may be full: give it more with shm_size, 64 MB is usual'],
  [139, 'it or one of its native libraries may be built for another C library (glibc or musl) or processor'],
])

const exitOf = ({ exitCode }: Ended): string => {
  const meaning = meanings.get(exitCode)
  return `exit code ${exitCode}${meaning === undefined ? '' : `, ${meaning}`}`
}

const restartsOf = ({ restarts }: ContainerState): string =>
  restarts === 0 ? '' : `, restarted ${restarts === 1 ? 'once' : `${restarts} times`}`

/** `what` was killed by the kernel. */
export const memoryWords = (
  what: string,
  limit: string | undefined,
): Pick<Finding, 'code' | 'message'> & { readonly help: string } =>
  limit === undefined
    ? {
        code: 'DT3208',
        message: `${what} was killed: the node ran out of memory`,
        help: 'set a memory limit and reservation, so that it gets a node with enough memory',
      }
    : {
        code: 'DT3208',
        message: `${what} was killed: it exceeded its memory limit of ${limit}`,
        help: `raise the memory limit of the service (${keysOf('limits.memory')}), or make the program use less`,
      }

const memoryFinding = (scene: Scene, container: ContainerState): Pick<Finding, 'code' | 'message' | 'help'> =>
  memoryWords(nameOf(scene, container), textAt(container.spec, 'resources', 'limits', 'memory'))

const crashFinding = (
  scene: Scene,
  container: ContainerState,
  ended: Ended,
): Pick<Finding, 'code' | 'message' | 'help'> => {
  const what = nameOf(scene, container)
  if (container.role === 'Init') {
    return {
      code: 'DT3218',
      message: `${what} fails (${exitOf(ended)}${restartsOf(container)}), so the service does not start`,
      help: 'its log says why',
    }
  }
  if (ended.exitCode === 0) {
    return {
      code: 'DT3207',
      message: `${what} exits by itself (exit code 0${restartsOf(container)}), but is expected to keep running`,
      help: 'keep the program in the foreground; a service that is meant to finish needs `restart: "no"` or `on-failure`',
    }
  }
  return {
    code: 'DT3207',
    message: `${what} crashes (${exitOf(ended)}${restartsOf(container)})`,
    help: helps.get(ended.exitCode) ?? 'its log says why',
  }
}

const FOREVER = 2_147_483_647

/** A Job counts its own retries, unless they are unlimited: its crash is final when the Job has failed. */
const isRetried = ({ workload }: Scene): boolean =>
  workload.kind === 'Job' && numberAt(workload, 'spec', 'backoffLimit') !== FOREVER

/** The exit statuses of shells for a command that cannot be run: starting it again does not help. */
const unstartable: ReadonlyArray<number> = [126, 127]

const isHopeless = (scene: Scene, pod: ClusterObject, container: ContainerState, { exitCode }: Ended): boolean =>
  !container.isRunning && (unstartable.includes(exitCode) || scene.isLooping(pod.metadata.uid, container))

export const crashCauses = (scene: Scene, pod: ClusterObject, container: ContainerState): ReadonlyArray<Cause> => {
  const ended = container.ended ?? container.before
  if (ended === undefined || (container.isReady && container.isRunning)) return []
  if (ended.exitCode === 0 && (container.role === 'Init' || container.waiting?.reason !== 'CrashLoopBackOff')) return []
  // While the container runs again, the log of the crash is the previous one.
  const logs: LogRef = {
    pod: pod.metadata.name,
    container: container.name,
    isPrevious: container.isRunning && container.restarts > 0,
  }
  const said = newest(scene, pod, ({ reason }) => reason === 'BackOff')
  return [
    causeOf(scene, pod, {
      ...(ended.reason === 'OOMKilled' ? memoryFinding(scene, container) : crashFinding(scene, container, ended)),
      next: readLogs(scene, logs),
      isFinal: isHopeless(scene, pod, container, ended) && !isRetried(scene),
      logs,
      logContext: logContextOf(scene, pod, container),
      ...defined({ since: said && (evidence(said).since ?? '') }),
    }),
  ]
}
