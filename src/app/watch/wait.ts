/** Carries out the steps of waiting for a condition. */
import * as E from 'fp-ts/lib/Either.js'
import { isForbidden } from '../../domain/cluster/failure.ts'
import { resources } from '../../domain/cluster/resources.ts'
import type { KubeObject } from '../../domain/k8s/types.ts'
import type { Action } from '../../domain/plan/action.ts'
import { beginWaiting, stepWaiting, type WaitCommand, type WaitEvent, type Waited } from '../../domain/why/waiting.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Cluster } from '../../ports/cluster.ts'
import type { Watching } from './watch.ts'

/** `watching` ends with the signal, too. */
export type WaitOptions = {
  readonly cluster: Cluster
  readonly clock: Clock
  readonly namespace: string
  readonly watching: Watching
  readonly signal: AbortSignal
  /** Updates the progress of the service. */
  readonly tell: (service: string, detail: string) => void
}

type ProbePort = Extract<WaitCommand, { readonly _tag: 'ProbePort' }>

/** One open port is enough. */
const probePort = async (
  { cluster, namespace, signal }: WaitOptions,
  { pod, ports }: ProbePort,
): Promise<WaitEvent> => {
  const key = { resource: resources.Pod, namespace, name: pod }
  for (const port of ports) {
    const state = await cluster.probePort(key, port, signal)()
    if (E.isRight(state) && state.right === 'Open') return { _tag: 'Open' }
    if (E.isLeft(state) && isForbidden(state.left)) return { _tag: 'Forbidden', pod, port }
  }
  return { _tag: 'Closed' }
}

/** The object as it was applied, and whether applying it changed nothing. */
export type WaitTarget = { readonly object: KubeObject | undefined; readonly isUnchanged: boolean }

export const waitFor = async (
  waiting: WaitOptions,
  wanted: Action<'Await'>,
  targetOf: () => WaitTarget,
): Promise<Waited> => {
  const { clock, signal, tell, watching } = waiting
  const { service } = wanted
  const look = (): WaitEvent => {
    if (signal.aborted) return { _tag: 'Ended' }
    return { _tag: 'Looked', atMs: clock.now(), seen: { ...targetOf(), observed: watching.world.of(service) } }
  }
  await watching.ready
  let state = beginWaiting
  for (let event = look(); ; ) {
    const next = stepWaiting(wanted, state, event)
    const { command } = next
    state = next.state
    if (command._tag === 'End' && command.waited._tag !== 'Met') return command.waited
    tell(service, event._tag === 'Closed' ? `${state.detail}, no port answers yet` : state.detail)
    if (command._tag === 'End') return command.waited
    if (command._tag === 'ProbePort') event = await probePort(waiting, command)
    else {
      await (command._tag === 'Watch' ? watching.changed(service, command.ms) : watching.pause(command.ms))
      event = look()
    }
  }
}
