/**
 * Waiting for a condition, as a state machine: observe, probe ports or follow logs if that decides, then observe again
 * on a change or after an interval. Time and observations arrive as events; the caller only carries out the commands.
 */
import { type Diagnostic, placed, warning } from '../diagnostic/diagnostic.ts'
import { type Action, showRef } from '../plan/action.ts'
import { type ContainerRun, type FollowedLogs, followMs } from '../rollout/settled.ts'
import type { Cause } from './cause.ts'
import { beginHistory, type History, recall } from './history.ts'
import { type Awaited, type Case, judge, type OpenPorts, type Verdict } from './verdict.ts'

const lookMs = 1000
const probePauseMs = 500

/** Aborted: the wait was cut short; `detail` is the last state. */
export type Waited =
  | { readonly _tag: 'Met'; readonly detail: string; readonly findings: ReadonlyArray<Diagnostic> }
  | { readonly _tag: 'Failed'; readonly causes: ReadonlyArray<Cause> }
  | { readonly _tag: 'Aborted'; readonly detail: string }

/** `forbidden`: the port that could not be probed without permission. */
export type WaitState = {
  readonly history: History
  readonly open: OpenPorts
  readonly followed: FollowedLogs
  readonly forbidden?: { readonly pod: string; readonly port: number }
  readonly detail: string
}

/** What the caller knows about the workload. */
export type Sight = Pick<Case, 'isUnchanged' | 'publicPorts' | 'observed' | 'mayBeGone'> &
  Pick<Recalling, 'isBlocked' | 'failsFast'>
type Recalling = Parameters<typeof recall>[1]

/** Forbidden: we have no permission to probe ports. */
export type WaitEvent =
  | { readonly _tag: 'Looked'; readonly atMs: number; readonly seen: Sight }
  | {
      readonly _tag: 'Probed'
      readonly pod: string
      readonly ports: ReadonlyArray<number>
      readonly open: ReadonlyArray<number>
    }
  | { readonly _tag: 'Followed'; readonly logs: FollowedLogs }
  | { readonly _tag: 'Ended' }
  | { readonly _tag: 'Forbidden'; readonly pod: string; readonly port: number }

/**
 * Look: at once. Watch: when something about the service changes, or after `ms`. Pause: after `ms`. FollowLogs: for
 * `ms`.
 */
export type WaitCommand =
  | { readonly _tag: 'Look' }
  | { readonly _tag: 'Watch' | 'Pause'; readonly ms: number }
  | { readonly _tag: 'ProbePorts'; readonly pod: string; readonly ports: ReadonlyArray<number> }
  | { readonly _tag: 'FollowLogs'; readonly runs: ReadonlyArray<ContainerRun>; readonly ms: number }
  | { readonly _tag: 'End'; readonly waited: Waited }

export type WaitStep = { readonly state: WaitState; readonly command: WaitCommand }

export const beginWaiting: WaitState = {
  history: beginHistory,
  open: { pod: '', ports: new Set() },
  followed: new Map(),
  detail: 'starting',
}

/** A wait, and where to report it. `at`: the line that requires it. */
export type AwaitedObject = Awaited & Pick<Action<'Await'>, 'service' | 'at'>

/** For people: `service "web"`; an object that no file describes is named directly. */
const titleOf = ({ ref, service }: AwaitedObject): string => (service === '' ? showRef(ref) : `service "${service}"`)

const voidWarning = (wanted: AwaitedObject, why: string): Diagnostic =>
  placed(wanted.at, warning('DT3131', `${titleOf(wanted)} is not waited for: ${why}`))

const UNPROBED_HELP = 'give the service a healthcheck, or ask for permission to create pods/portforward'

const forbidden = (wanted: AwaitedObject, { pod, port }: { pod: string; port: number }): Diagnostic => {
  const message = `${titleOf(wanted)}: not allowed to check whether port ${port} of Pod/${pod} accepts connections; its running container counts as healthy`
  return placed(wanted.at, warning('DT3133', message, { help: UNPROBED_HELP }))
}

const list = (ports: Iterable<number>): string => [...ports].toSorted((a, b) => a - b).join(', ')

const silence = (wanted: AwaitedObject, silent: ReadonlyArray<number>, open: ReadonlySet<number>): Diagnostic => {
  const ports = silent.length === 1 ? `public port ${list(silent)}` : `the public ports ${list(silent)}`
  const message = `${titleOf(wanted)}: nothing listens on ${ports}, but ${list(open)} accepts connections`
  return placed(
    wanted.at,
    warning('DT3160', message, { help: 'correct the port in the file, or bind it to 127.0.0.1 to make it private' }),
  )
}

const met = (
  wanted: AwaitedObject,
  state: WaitState,
  { nothing, silent }: Extract<Verdict, { _tag: 'Met' }>,
): WaitStep => {
  const findings = [
    ...(nothing === undefined ? [] : [voidWarning(wanted, nothing)]),
    ...(state.forbidden === undefined ? [] : [forbidden(wanted, state.forbidden)]),
    ...(silent === undefined ? [] : [silence(wanted, silent, state.open.ports)]),
  ]
  return { state, command: { _tag: 'End', waited: { _tag: 'Met', detail: state.detail, findings } } }
}

const look = (
  wanted: AwaitedObject,
  state: WaitState,
  { failsFast = false, isBlocked, ...seen }: Sight,
  atMs: number,
): WaitStep => {
  const { followed, forbidden: refused, open } = state
  const looked = { ...seen, ref: wanted.ref, isBlocked, failsFast, atMs }
  const { history, isLooping, seenForMs } = recall(state.history, looked)
  const known = { followed, open, seenForMs, isLooping, mayProbe: refused === undefined }
  const verdict = judge({ ...seen, ...known, await: wanted })
  if (verdict._tag === 'Failed') return { state: { ...state, history }, command: { _tag: 'End', waited: verdict } }
  const next: WaitState = { ...state, history, detail: verdict.detail }
  switch (verdict._tag) {
    case 'Met':
      return met(wanted, next, verdict)
    case 'Waiting':
      return { state: next, command: { _tag: 'Watch', ms: Math.min(verdict.forMs ?? lookMs, lookMs) } }
    case 'ProbePorts':
      return { state: next, command: { _tag: 'ProbePorts', pod: verdict.pod, ports: verdict.ports } }
    case 'FollowLogs':
      return { state: next, command: { _tag: 'FollowLogs', runs: verdict.runs, ms: followMs } }
  }
}

/** Ports that accepted connections before are kept as long as the pod is the same. */
const probed = (
  state: WaitState,
  { open: found, pod, ports: asked }: Extract<WaitEvent, { _tag: 'Probed' }>,
): WaitStep => {
  const before = state.open.pod === pod ? state.open.ports : []
  const ports = new Set([...before, ...found])
  const silent = `nothing listens on ${asked.length === 1 ? 'port' : 'the ports'} ${list(asked)} yet`
  const next = {
    ...state,
    detail: ports.size === 0 ? `${state.detail}, ${silent}` : state.detail,
    open: { pod, ports },
  }
  return { state: next, command: found.length > 0 ? { _tag: 'Look' } : { _tag: 'Pause', ms: probePauseMs } }
}

export const stepWaiting = (wanted: AwaitedObject, state: WaitState, event: WaitEvent): WaitStep => {
  switch (event._tag) {
    case 'Ended':
      return { state, command: { _tag: 'End', waited: { _tag: 'Aborted', detail: state.detail } } }
    case 'Probed':
      return probed(state, event)
    case 'Followed':
      return { state: { ...state, followed: new Map([...state.followed, ...event.logs]) }, command: { _tag: 'Look' } }
    case 'Forbidden':
      return { state: { ...state, forbidden: { pod: event.pod, port: event.port } }, command: { _tag: 'Look' } }
    case 'Looked':
      return look(wanted, state, event.seen, event.atMs)
  }
}
