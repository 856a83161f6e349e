/**
 * Waiting for a condition, as a state machine: look, probe a port if that decides, then look again on a change or after
 * an interval. Time and observations arrive as events; the caller only carries out the commands.
 */
import { type Diagnostic, placed, warning } from '../diagnostic/diagnostic.ts'
import { type Action, showRef } from '../plan/action.ts'
import type { Cause } from './cause.ts'
import { type Case, judge } from './verdict.ts'

const lookMs = 1000
const probePauseMs = 500

/** Aborted: the wait was cut short; `detail` is the last state. */
export type Waited =
  | { readonly _tag: 'Met'; readonly detail: string; readonly findings: ReadonlyArray<Diagnostic> }
  | { readonly _tag: 'Failed'; readonly causes: ReadonlyArray<Cause> }
  | { readonly _tag: 'Aborted'; readonly detail: string }

/** `since`: when each state was first seen, by the caller's clock. */
export type WaitState = { readonly since: ReadonlyMap<string, number>; readonly detail: string }

/** Forbidden: we have no permission to probe ports. */
export type WaitEvent =
  | { readonly _tag: 'Looked'; readonly atMs: number; readonly seen: Omit<Case, 'await' | 'seenForMs'> }
  | { readonly _tag: 'Open' | 'Closed' | 'Ended' }
  | { readonly _tag: 'Forbidden'; readonly pod: string; readonly port: number }

/** Watch: look again when something about the service changes, or after `ms`. Pause: look again after `ms`. */
export type WaitCommand =
  | { readonly _tag: 'Watch' | 'Pause'; readonly ms: number }
  | { readonly _tag: 'ProbePort'; readonly pod: string; readonly ports: ReadonlyArray<number> }
  | { readonly _tag: 'End'; readonly waited: Waited }

export type WaitStep = { readonly state: WaitState; readonly command: WaitCommand }

export const beginWaiting: WaitState = { since: new Map(), detail: 'starting' }

const voidWarning = ({ at, ref, service }: Action<'Await'>): Diagnostic => {
  const why = `${showRef(ref)} requests no pods, or does not replace them by itself`
  return placed(at, warning('DT3131', `service "${service}" is not waited for: ${why}`))
}

const KNOCK_HELP = 'give the service a healthcheck, or ask for permission to create pods/portforward'

const forbidden = ({ at, service }: Action<'Await'>, pod: string, port: number): Diagnostic => {
  const message = `service "${service}": not allowed to check whether port ${port} of Pod/${pod} accepts connections; its running container counts as healthy`
  return placed(at, warning('DT3133', message, { help: KNOCK_HELP }))
}

const met = (state: WaitState, findings: ReadonlyArray<Diagnostic>): WaitStep => ({
  state,
  command: { _tag: 'End', waited: { _tag: 'Met', detail: state.detail, findings } },
})

const look = (wanted: Action<'Await'>, { since }: WaitState, seen: Omit<Case, 'await' | 'seenForMs'>, atMs: number) => {
  const known = new Map(since)
  const seenForMs = (uid: string, what: string): number => {
    const key = `${uid} ${what}`
    const first = known.get(key) ?? atMs
    known.set(key, first)
    return atMs - first
  }
  return { verdict: judge({ ...seen, await: wanted, seenForMs }), since: known }
}

export const stepWaiting = (wanted: Action<'Await'>, state: WaitState, event: WaitEvent): WaitStep => {
  switch (event._tag) {
    case 'Ended':
      return { state, command: { _tag: 'End', waited: { _tag: 'Aborted', detail: state.detail } } }
    case 'Open':
      return met(state, [])
    case 'Forbidden':
      return met(state, [forbidden(wanted, event.pod, event.port)])
    case 'Closed':
      return { state, command: { _tag: 'Pause', ms: probePauseMs } }
    case 'Looked': {
      const { since, verdict } = look(wanted, state, event.seen, event.atMs)
      if (verdict._tag === 'Failed') return { state: { ...state, since }, command: { _tag: 'End', waited: verdict } }
      const next: WaitState = { since, detail: verdict.detail }
      if (verdict._tag === 'Met') return met(next, verdict.isVoid === true ? [voidWarning(wanted)] : [])
      if (verdict._tag === 'Waiting') return { state: next, command: { _tag: 'Watch', ms: lookMs } }
      return { state: next, command: { _tag: 'ProbePort', pod: verdict.pod, ports: verdict.ports } }
    }
  }
}
