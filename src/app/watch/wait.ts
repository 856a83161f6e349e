/** Waits until a condition holds: looks again whenever something of the service changed, and now and then in any case. */
import * as E from 'fp-ts/lib/Either.js'
import { isForbidden } from '../../domain/cluster/failure.ts'
import type { Observed } from '../../domain/cluster/live.ts'
import { resources } from '../../domain/cluster/resources.ts'
import { type Diagnostic, placed, warning } from '../../domain/diagnostic/diagnostic.ts'
import type { KubeObject } from '../../domain/k8s/types.ts'
import { type Action, showRef } from '../../domain/plan/action.ts'
import type { Cause } from '../../domain/why/cause.ts'
import { judge, type Verdict } from '../../domain/why/verdict.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Cluster } from '../../ports/cluster.ts'
import type { Watching } from './watch.ts'

const lookMs = 1000
const knockPauseMs = 500

export type Waiting = {
  readonly cluster: Cluster
  readonly clock: Clock
  readonly namespace: string
  readonly watching: Watching
  readonly signal: AbortSignal
  /** Changes what is shown of the service. */
  readonly tell: (service: string, detail: string) => void
}

/** Aborted: the signal came first; `detail` is the last state. */
export type Waited =
  | { readonly _tag: 'Met'; readonly detail: string; readonly findings: ReadonlyArray<Diagnostic> }
  | { readonly _tag: 'Failed'; readonly causes: ReadonlyArray<Cause> }
  | { readonly _tag: 'Aborted'; readonly detail: string }

/** How long something has been seen to be so, by the clock of the one who looks. */
const stopwatch = (clock: Clock): ((uid: string, what: string) => number) => {
  const since = new Map<string, number>()
  return (uid, what) => {
    const key = `${uid} ${what}`
    const first = since.get(key) ?? clock.now()
    since.set(key, first)
    return clock.now() - first
  }
}

const KNOCK_HELP = 'give the service a healthcheck, or ask for permission to create pods/portforward'

type Knocked = { readonly isOpen: boolean; readonly findings: ReadonlyArray<Diagnostic> }

/** One open port is enough. Where knocking is forbidden, a running container counts as healthy. */
const knock = async (
  { cluster, namespace, signal }: Waiting,
  wanted: Action<'Await'>,
  { pod, ports }: Extract<Verdict, { readonly _tag: 'Knock' }>,
): Promise<Knocked> => {
  const key = { resource: resources.Pod, namespace, name: pod }
  for (const port of ports) {
    const state = await cluster.knock(key, port, signal)()
    if (E.isRight(state) && state.right === 'Open') return { isOpen: true, findings: [] }
    if (E.isLeft(state) && isForbidden(state.left)) {
      const message = `service "${wanted.service}": not allowed to check whether port ${port} of Pod/${pod} accepts connections; its running container counts as healthy`
      return { isOpen: true, findings: [placed(wanted.at, warning('DT3133', message, { help: KNOCK_HELP }))] }
    }
  }
  return { isOpen: false, findings: [] }
}

const voidWarning = (wanted: Action<'Await'>): Diagnostic => {
  const { ref, service } = wanted
  const why = `${showRef(ref)} requests no pods, or does not replace them by itself`
  return placed(wanted.at, warning('DT3131', `service "${service}" is not waited for: ${why}`))
}

const waitersOn = new WeakMap<AbortSignal, Set<() => void>>()

/** Called when the signal comes. One listener for all of them: Node takes more than ten for a leak. */
const waitersFor = (signal: AbortSignal): Set<() => void> => {
  const known = waitersOn.get(signal)
  if (known !== undefined) return known
  const waiters = new Set<() => void>()
  waitersOn.set(signal, waiters)
  const endAll = (): void => {
    for (const end of waiters) end()
  }
  signal.addEventListener('abort', endAll, { once: true })
  return waiters
}

/** A kind that cannot be listed is no reason to wait beyond the end. */
const untilAborted = (ready: Promise<void>, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const waiters = waitersFor(signal)
    const end = (): void => {
      waiters.delete(end)
      resolve()
    }
    if (signal.aborted) return resolve()
    waiters.add(end)
    void ready.then(end)
  })

const pause = async ({ clock, signal }: Pick<Waiting, 'clock' | 'signal'>, ms: number): Promise<void> => {
  const early = new AbortController()
  await untilAborted(clock.sleep(ms, early.signal), signal)
  early.abort()
}

/** As it was applied, and whether that changed nothing. */
export type Target = { readonly object: KubeObject | undefined; readonly isUnchanged: boolean }

export const waitFor = async (waiting: Waiting, wanted: Action<'Await'>, targetOf: () => Target): Promise<Waited> => {
  const { clock, signal, tell, watching } = waiting
  const seenForMs = stopwatch(clock)
  const observe = (): Observed => watching.world.of(wanted.service)
  let detail = 'starting'
  await untilAborted(watching.ready, signal)
  while (!signal.aborted) {
    const verdict = judge({ await: wanted, ...targetOf(), observed: observe(), seenForMs })
    if (verdict._tag === 'Failed') return verdict
    detail = verdict.detail
    tell(wanted.service, detail)
    if (verdict._tag === 'Met') {
      return { _tag: 'Met', detail, findings: verdict.isVoid === true ? [voidWarning(wanted)] : [] }
    }
    if (verdict._tag === 'Knock') {
      const { findings, isOpen } = await knock(waiting, wanted, verdict)
      if (isOpen) return { _tag: 'Met', detail, findings }
      tell(wanted.service, `${detail}, no port answers yet`)
      await pause(waiting, knockPauseMs)
    } else await untilAborted(watching.changed(wanted.service, lookMs), signal)
  }
  return { _tag: 'Aborted', detail }
}
