/** Carries out the steps of waiting for a condition. */
import { isForbidden } from '../../domain/cluster/failure.ts'
import { resources } from '../../domain/cluster/resources.ts'
import type { ContainerRun } from '../../domain/rollout/settled.ts'
import { isBlocked } from '../../domain/why/dependency.ts'
import {
  type AwaitedObject,
  beginWaiting,
  type Sight,
  stepWaiting,
  type WaitCommand,
  type WaitEvent,
  type Waited,
} from '../../domain/why/waiting.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Cluster } from '../../ports/cluster.ts'
import type { Watching } from './watch.ts'

/** `watching` ends when the signal is aborted, too. */
export type WaitOptions = {
  readonly cluster: Cluster
  readonly clock: Clock
  readonly namespace: string
  readonly watching: Watching
  readonly signal: AbortSignal
  readonly failsFast: boolean
  /** Updates the progress of the service. */
  readonly tell: (service: string, detail: string) => void
}

type ProbePorts = Extract<WaitCommand, { readonly _tag: 'ProbePorts' }>
type FollowLogs = Extract<WaitCommand, { readonly _tag: 'FollowLogs' }>

/** A port that cannot be reached at the moment counts as closed. */
const probePorts = async (
  { cluster, namespace, signal }: WaitOptions,
  { pod, ports }: ProbePorts,
): Promise<WaitEvent> => {
  const key = { resource: resources.Pod, namespace, name: pod }
  const states = await Promise.all(
    ports.map(async (port) => ({ port, state: await cluster.probePort(key, port, signal)() })),
  )
  const denied = states.find(({ state }) => state._tag === 'Left' && isForbidden(state.left))
  if (denied !== undefined) return { _tag: 'Forbidden', pod, port: denied.port }
  const open = states.flatMap(({ port, state }) => (state._tag === 'Right' && state.right === 'Open' ? [port] : []))
  return { _tag: 'Probed', pod, ports, open }
}

/** A log that takes longer to be read could have ended without our learning of it. */
const slowMs = 1000

/** Whether each log stayed open. A log that cannot be read at once counts as one that ended. */
const followLogs = async (
  { clock, cluster, namespace, signal }: WaitOptions,
  { ms, runs }: FollowLogs,
): Promise<WaitEvent> => {
  const over = new AbortController()
  const until = AbortSignal.any([signal, over.signal])
  const isRead = async ({ container, pod }: ContainerRun, isFollowed: boolean): Promise<boolean> => {
    const log = { resource: resources.Pod, namespace, name: pod }
    for await (const line of cluster.logs(log, { container, follow: isFollowed, tail: 0 }, until)) {
      if (line._tag === 'Failed') return false
    }
    return true
  }
  const follow = async (run: ContainerRun): Promise<readonly [string, boolean]> => {
    const begin = clock.now()
    const isQuick = (await isRead(run, false)) && clock.now() - begin < slowMs
    return [run.key, isQuick && (await isRead(run, true)) && until.aborted]
  }
  void clock.sleep(ms, until).then(() => over.abort())
  const logs = new Map(await Promise.all(runs.map(follow)))
  over.abort()
  return { _tag: 'Followed', logs }
}

/** How much later than requested a pause may end; more means that the process was suspended. */
const slackMs = 2000

/** Whether applying it changed nothing, and the ports that its Ingress routes to. */
export type WaitTarget = Pick<Sight, 'isUnchanged' | 'publicPorts' | 'mayBeGone'>

export const waitFor = async (
  waiting: WaitOptions,
  wanted: AwaitedObject,
  targetOf: () => WaitTarget,
): Promise<Waited> => {
  const { clock, failsFast, signal, tell, watching } = waiting
  const { ref, service } = wanted
  // A suspended process saw no events meanwhile.
  let stoodStillMs = 0
  const after = async (ms: number, pause: () => Promise<void>): Promise<void> => {
    const begin = clock.now()
    await pause()
    const lateMs = clock.now() - begin - ms
    if (lateMs > slackMs) stoodStillMs += lateMs
  }
  const look = (): WaitEvent => {
    if (signal.aborted) return { _tag: 'Ended' }
    const observed = watching.state.of(service)
    const live = observed.get(ref.kind)?.get(ref.name)
    const isHeld = live !== undefined && isBlocked(live, watching.state.of)
    return {
      _tag: 'Looked',
      atMs: clock.now() - stoodStillMs,
      seen: { ...targetOf(), observed, isBlocked: isHeld, failsFast },
    }
  }
  await watching.begin()
  let state = beginWaiting
  for (let event = look(); ; ) {
    const next = stepWaiting(wanted, state, event)
    const { command } = next
    state = next.state
    if (command._tag === 'End' && command.waited._tag !== 'Met') return command.waited
    tell(service, state.detail)
    if (command._tag === 'End') return command.waited
    if (command._tag === 'ProbePorts') event = await probePorts(waiting, command)
    else if (command._tag === 'FollowLogs') {
      await after(command.ms, async () => {
        event = await followLogs(waiting, command)
      })
    } else {
      if (command._tag === 'Watch') await after(command.ms, () => watching.changed(service, command.ms))
      if (command._tag === 'Pause') await after(command.ms, () => watching.pause(command.ms))
      event = look()
    }
  }
}
