/**
 * A connection to a development container that is made again when it is lost. Pods and links come and go as events; what
 * is to be done about it is decided here.
 */
import { defined, ifDefined } from '../object/defined.ts'
import { type Backoff, pauseAfter } from '../time/backoff.ts'

export type LinkedPod = { readonly name: string; readonly uid: string }

/** RecordGone: the development container was taken down or destroyed elsewhere. Forbidden: what the server said. */
export type SessionEnd = {
  readonly _tag: 'Closed' | 'Interrupted' | 'RecordGone' | 'Forbidden'
  readonly reason: string
}

/**
 * `Pod`: the one to connect to, or none. `attempt` is that of the command: others are over already. `Slept`: the machine
 * was suspended, so the connection is dead whatever it looks like.
 */
export type SessionEvent =
  | { readonly _tag: 'Pod'; readonly pod: LinkedPod | undefined; readonly atMs: number }
  | { readonly _tag: 'Linked'; readonly attempt: number; readonly atMs: number }
  | { readonly _tag: 'NotLinked'; readonly attempt: number; readonly reason: string }
  | { readonly _tag: 'Lost'; readonly attempt: number; readonly reason: string; readonly atMs: number }
  | { readonly _tag: 'PauseOver'; readonly attempt: number }
  | { readonly _tag: 'Slept'; readonly atMs: number }
  | { readonly _tag: 'End'; readonly end: SessionEnd }

/** What the user may be told. `afterMs`: since the link was lost; absent for the first. */
export type SessionNotice =
  | { readonly _tag: 'Connected'; readonly pod: LinkedPod; readonly isReplaced: boolean; readonly afterMs?: number }
  | { readonly _tag: 'Lost'; readonly reason: string }
  | { readonly _tag: 'Trouble'; readonly reason: string }

/** `Drop` gives up the link, or the attempt to make one. */
export type SessionCommand =
  | { readonly _tag: 'Dial'; readonly pod: LinkedPod; readonly attempt: number }
  | { readonly _tag: 'Pause'; readonly ms: number; readonly attempt: number }
  | { readonly _tag: 'Drop' }
  | { readonly _tag: 'Tell'; readonly notice: SessionNotice }
  | { readonly _tag: 'Over'; readonly end: SessionEnd }

/** `Waiting`: for a pod. */
type Phase = 'Waiting' | 'Dialing' | 'Pausing' | 'Linked' | 'Over'

/** `pod`: the one to connect to. `linked`: the last one that there was a link to. */
export type SessionState = {
  readonly phase: Phase
  readonly attempt: number
  readonly failures: number
  readonly pod?: LinkedPod
  readonly linked?: LinkedPod
  readonly lostAtMs?: number
}

export type SessionStep = readonly [SessionState, ReadonlyArray<SessionCommand>]

export const beginning: SessionState = { phase: 'Waiting', attempt: 0, failures: 0 }

/** The agent listens a moment after its container has been started. */
const atFirst: Backoff = { firstMs: 40, longestMs: 2000, factor: 1.25 }
const again: Backoff = { firstMs: 100, longestMs: 2000 }
/** So many failures are no longer a matter of starting. */
const troubling = 8

const stay = (state: SessionState): SessionStep => [state, []]

const dial = (state: SessionState, before: ReadonlyArray<SessionCommand> = []): SessionStep => {
  const { pod } = state
  if (pod === undefined) return [{ ...state, phase: 'Waiting' }, before]
  const attempt = state.attempt + 1
  return [{ ...state, phase: 'Dialing', attempt }, [...before, { _tag: 'Dial', pod, attempt }]]
}

/** Begins again after a link that was lost, or given up. */
const lose = (
  state: SessionState,
  reason: string,
  atMs: number,
  before: ReadonlyArray<SessionCommand> = [],
): SessionStep =>
  dial({ ...state, failures: 0, lostAtMs: state.lostAtMs ?? atMs }, [
    ...before,
    { _tag: 'Tell', notice: { _tag: 'Lost', reason } },
  ])

const withPod = ({ pod: _pod, ...state }: SessionState, pod: LinkedPod | undefined): SessionState =>
  pod === undefined ? state : { ...state, pod }

const onPod = (state: SessionState, pod: LinkedPod | undefined, atMs: number): SessionStep => {
  if (pod?.uid === state.pod?.uid) return stay(state)
  const next = withPod(state, pod)
  switch (state.phase) {
    case 'Linked':
      return lose(next, pod === undefined ? 'its pod is gone' : 'its pod was replaced', atMs, [{ _tag: 'Drop' }])
    case 'Dialing':
      return dial({ ...next, failures: 0 }, [{ _tag: 'Drop' }])
    case 'Waiting':
    case 'Pausing':
      return dial({ ...next, failures: 0 })
    case 'Over':
      return stay(state)
  }
}

const onLinked = (state: SessionState, atMs: number): SessionStep => {
  const { linked, lostAtMs, pod, ...rest } = state
  if (pod === undefined) return stay(state)
  const notice: SessionNotice = {
    _tag: 'Connected',
    pod,
    isReplaced: linked !== undefined && linked.uid !== pod.uid,
    ...defined({ afterMs: ifDefined(lostAtMs, (since) => atMs - since) }),
  }
  return [{ ...rest, phase: 'Linked', failures: 0, pod, linked: pod }, [{ _tag: 'Tell', notice }]]
}

const onFailure = (state: SessionState, reason: string): SessionStep => {
  const failures = state.failures + 1
  const ms = pauseAfter(state.linked === undefined ? atFirst : again, state.failures)
  const pause: SessionCommand = { _tag: 'Pause', ms, attempt: state.attempt }
  const told: ReadonlyArray<SessionCommand> =
    failures === troubling ? [{ _tag: 'Tell', notice: { _tag: 'Trouble', reason } }] : []
  return [{ ...state, phase: 'Pausing', failures }, [...told, pause]]
}

const onSleep = (state: SessionState, atMs: number): SessionStep => {
  switch (state.phase) {
    case 'Linked':
      return lose(state, 'this machine was suspended', atMs, [{ _tag: 'Drop' }])
    case 'Dialing':
      return dial({ ...state, failures: 0 }, [{ _tag: 'Drop' }])
    case 'Pausing':
      return dial({ ...state, failures: 0 })
    case 'Waiting':
    case 'Over':
      return stay(state)
  }
}

const onEnd = (state: SessionState, end: SessionEnd): SessionStep => {
  const isHeld = state.phase === 'Linked' || state.phase === 'Dialing'
  return [{ ...state, phase: 'Over' }, [...(isHeld ? [{ _tag: 'Drop' } as const] : []), { _tag: 'Over', end }]]
}

export const step = (state: SessionState, event: SessionEvent): SessionStep => {
  const { phase } = state
  if (phase === 'Over') return stay(state)
  const isNow = 'attempt' in event && event.attempt === state.attempt
  switch (event._tag) {
    case 'Pod':
      return onPod(state, event.pod, event.atMs)
    case 'Linked':
      return isNow && phase === 'Dialing' ? onLinked(state, event.atMs) : stay(state)
    case 'NotLinked':
      return isNow && phase === 'Dialing' ? onFailure(state, event.reason) : stay(state)
    case 'Lost':
      return isNow && phase === 'Linked' ? lose(state, event.reason, event.atMs) : stay(state)
    case 'PauseOver':
      return isNow && phase === 'Pausing' ? dial(state) : stay(state)
    case 'Slept':
      return onSleep(state, event.atMs)
    case 'End':
      return onEnd(state, event.end)
  }
}
