/**
 * A connection to a development container that is restored when it is lost. Pods and links arrive as events; this
 * module decides what to do about them.
 */
import { defined, ifDefined } from '../object/defined.ts'
import { type Backoff, pauseAfter } from '../time/backoff.ts'

export type LinkedPod = { readonly name: string; readonly uid: string }

/**
 * RecordGone: the development container was taken down or destroyed elsewhere. Forbidden: with the server's message.
 * NotReached: no pod ran in time, or none has ever answered.
 */
export type SessionEnd = {
  readonly _tag: 'Closed' | 'Interrupted' | 'RecordGone' | 'Forbidden' | 'NotReached'
  readonly reason: string
}

/**
 * `Pod`: the one to connect to, or none. `attempt`: that of the command; events of earlier attempts are ignored.
 * `Slept`: the machine was suspended, so the connection is dead even if it looks open. `NetworkChanged`: the addresses
 * of this machine have changed. `PodWaits`: why the next pod does not run yet. `Tick`: about every second while there is
 * no link.
 */
export type SessionEvent =
  | { readonly _tag: 'Pod'; readonly pod: LinkedPod | undefined; readonly atMs: number }
  | { readonly _tag: 'PodWaits'; readonly reason: string; readonly atMs: number }
  | { readonly _tag: 'Linked'; readonly attempt: number; readonly atMs: number }
  | { readonly _tag: 'NotLinked'; readonly attempt: number; readonly reason: string; readonly atMs: number }
  | { readonly _tag: 'Lost'; readonly attempt: number; readonly reason: string; readonly atMs: number }
  | { readonly _tag: 'PauseOver'; readonly attempt: number }
  | { readonly _tag: 'WaitOver'; readonly attempt: number }
  | { readonly _tag: 'Slept' | 'NetworkChanged' | 'Tick'; readonly atMs: number }
  | { readonly _tag: 'End'; readonly end: SessionEnd }

/**
 * Notices for the user. `afterMs`: time since the link was lost; absent for the first link. `Lasting`: there has been no
 * link for this long. `Killed`: the container, because of its memory.
 */
export type SessionNotice =
  | { readonly _tag: 'Connected'; readonly pod: LinkedPod; readonly isReplaced: boolean; readonly afterMs?: number }
  | { readonly _tag: 'Lost'; readonly reason: string }
  | { readonly _tag: 'Trouble'; readonly reason: string }
  | { readonly _tag: 'Lasting'; readonly forMs: number }
  | { readonly _tag: 'Killed'; readonly reason: string }

/**
 * `Wait`: for a pod, at most that long. `Drop`: give up the link, the attempt, the pause or the wait. `Over`: do so for
 * good.
 */
export type SessionCommand =
  | { readonly _tag: 'Dial'; readonly pod: LinkedPod; readonly attempt: number }
  | { readonly _tag: 'Pause'; readonly ms: number; readonly attempt: number }
  | { readonly _tag: 'Wait'; readonly ms: number; readonly attempt: number }
  | { readonly _tag: 'Drop' }
  | { readonly _tag: 'Tell'; readonly notice: SessionNotice }
  | { readonly _tag: 'Over'; readonly end: SessionEnd }

/** `Waiting`: for a pod. */
type Phase = 'Waiting' | 'Dialing' | 'Pausing' | 'Linked' | 'Over'

/**
 * `pod`: the one to connect to. `linked`: the last one that there was a link to. `missingAtMs`: since when there is no
 * pod, until there is a link. `patienceMs`: how long that may last. `triedAtMs`: since when this pod is tried. `told`: why
 * the next pod does not run yet, as the user knows it. `toldForMs`: the last of the {@link lastingMs} that was told.
 */
export type SessionState = {
  readonly phase: Phase
  readonly patienceMs: number
  readonly attempt: number
  readonly failures: number
  readonly pod?: LinkedPod
  readonly linked?: LinkedPod
  readonly lostAtMs?: number
  readonly missingAtMs?: number
  readonly triedAtMs?: number
  readonly isTroubleTold?: boolean
  readonly told?: string
  readonly toldForMs?: number
}

export type SessionStep = readonly [SessionState, ReadonlyArray<SessionCommand>]

export const beginning = (patienceMs: number): SessionState => ({
  phase: 'Waiting',
  patienceMs,
  attempt: 0,
  failures: 0,
})

/** The agent starts to listen a moment after its container has been started. */
const atFirst: Backoff = { firstMs: 40, longestMs: 2000, factor: 1.25 }
/**
 * A network may return after seconds or hours, and the user should not have to wait then; an attempt costs next to
 * nothing.
 */
const again: Backoff = { firstMs: 100, longestMs: 500 }
/** After this many failures, or failures for this long, the agent is not just still starting. */
const troubling = 8
const troublingMs = 2500
/** A new pod usually runs by then. */
const podMs = 5000

/** When an outage is told again, beside every full minute. */
const lastingMs: ReadonlyArray<number> = [10_000, 30_000]
const minuteMs = 60_000

/** The last moment to tell that has come: a machine that was busy, or slept, tells only that one. */
const lastingFor = (ms: number): number =>
  ms < minuteMs ? (lastingMs.findLast((moment) => moment <= ms) ?? 0) : Math.floor(ms / minuteMs) * minuteMs

const stay = (state: SessionState): SessionStep => [state, []]

const drop: ReadonlyArray<SessionCommand> = [{ _tag: 'Drop' }]

const dial = (state: SessionState, pod: LinkedPod, before: ReadonlyArray<SessionCommand> = []): SessionStep => {
  const attempt = state.attempt + 1
  return [{ ...state, phase: 'Dialing', attempt }, [...before, { _tag: 'Dial', pod, attempt }]]
}

/** Pods that come and go without a link do not extend the deadline. */
const wait = (state: SessionState, atMs: number, before: ReadonlyArray<SessionCommand> = []): SessionStep => {
  const { missingAtMs = atMs, patienceMs } = state
  const attempt = state.attempt + 1
  const ms = Math.max(0, missingAtMs + patienceMs - atMs)
  return [{ ...state, phase: 'Waiting', attempt, missingAtMs }, [...before, { _tag: 'Wait', ms, attempt }]]
}

/** Connects to the pod, or waits for the next one. */
const begin = (state: SessionState, atMs: number, before: ReadonlyArray<SessionCommand>): SessionStep =>
  state.pod === undefined
    ? wait(state, atMs, before)
    : dial({ ...state, failures: 0, triedAtMs: atMs, isTroubleTold: false }, state.pod, before)

/** Begins again after a link was lost, or given up. */
const lose = (
  state: SessionState,
  reason: string,
  atMs: number,
  before: ReadonlyArray<SessionCommand> = [],
): SessionStep =>
  begin({ ...state, lostAtMs: state.lostAtMs ?? atMs }, atMs, [
    ...before,
    { _tag: 'Tell', notice: { _tag: 'Lost', reason } },
  ])

const withPod = ({ pod: _pod, ...state }: SessionState, pod: LinkedPod | undefined): SessionState =>
  pod === undefined ? state : { ...state, pod }

const onPod = (state: SessionState, pod: LinkedPod | undefined, atMs: number): SessionStep => {
  const isFirst = state.phase === 'Waiting' && state.missingAtMs === undefined
  if (pod?.uid === state.pod?.uid && !isFirst) return stay(state)
  const next = isFirst ? { ...withPod(state, pod), missingAtMs: atMs } : withPod(state, pod)
  switch (state.phase) {
    case 'Linked':
      return lose(next, pod === undefined ? 'its pod is gone' : 'its pod was replaced', atMs, drop)
    case 'Dialing':
    case 'Waiting':
    case 'Pausing':
      return begin(next, atMs, drop)
    case 'Over':
      return stay(state)
  }
}

const onLinked = (state: SessionState, atMs: number): SessionStep => {
  const { linked, lostAtMs, missingAtMs: _missing, pod, told: _told, toldForMs: _toldFor, ...rest } = state
  if (pod === undefined) return stay(state)
  const notice: SessionNotice = {
    _tag: 'Connected',
    pod,
    isReplaced: linked !== undefined && linked.uid !== pod.uid,
    ...defined({ afterMs: ifDefined(lostAtMs, (since) => atMs - since) }),
  }
  return [{ ...rest, phase: 'Linked', failures: 0, pod, linked: pod }, [{ _tag: 'Tell', notice }]]
}

const seconds = (ms: number): string => `${Math.round(ms / 1000)} s`

const onEnd = (state: SessionState, end: SessionEnd): SessionStep => [
  { ...state, phase: 'Over' },
  [{ _tag: 'Over', end }],
]

/** A lost link is retried for as long as its pod runs: a network may be down for hours. */
const onFailure = (state: SessionState, reason: string, atMs: number): SessionStep => {
  const { linked, missingAtMs = atMs, patienceMs } = state
  if (linked === undefined && atMs - missingAtMs > patienceMs) {
    return onEnd(state, { _tag: 'NotReached', reason: `it did not answer within ${seconds(patienceMs)}: ${reason}` })
  }
  const failures = state.failures + 1
  const ms = pauseAfter(linked === undefined ? atFirst : again, state.failures)
  const pause: SessionCommand = { _tag: 'Pause', ms, attempt: state.attempt }
  const isTrouble = failures >= troubling || atMs - (state.triedAtMs ?? atMs) >= troublingMs
  const told: ReadonlyArray<SessionCommand> =
    isTrouble && state.isTroubleTold !== true ? [{ _tag: 'Tell', notice: { _tag: 'Trouble', reason } }] : []
  const isTroubleTold = isTrouble || state.isTroubleTold === true
  return [{ ...state, phase: 'Pausing', failures, isTroubleTold }, [...told, pause]]
}

/** Before the first link, the progress display says it. */
const onPodWaits = (state: SessionState, reason: string, atMs: number): SessionStep => {
  const { linked, missingAtMs = atMs, phase, told } = state
  const isKnown = linked === undefined || reason === told
  if (phase !== 'Waiting' || isKnown || atMs - missingAtMs < podMs) return stay(state)
  const notice: SessionNotice = { _tag: 'Trouble', reason: `the new pod waits: ${reason}` }
  return [{ ...state, told: reason }, [{ _tag: 'Tell', notice }]]
}

const onTick = (state: SessionState, atMs: number): SessionStep => {
  const { lostAtMs, phase, toldForMs = 0 } = state
  const forMs = phase === 'Linked' || lostAtMs === undefined ? 0 : lastingFor(atMs - lostAtMs)
  if (forMs <= toldForMs) return stay(state)
  return [{ ...state, toldForMs: forMs }, [{ _tag: 'Tell', notice: { _tag: 'Lasting', forMs } }]]
}

const onSleep = ({ missingAtMs: _missing, ...state }: SessionState, atMs: number): SessionStep => {
  switch (state.phase) {
    case 'Linked':
      return lose(state, 'this machine was suspended', atMs, drop)
    case 'Dialing':
    case 'Pausing':
    case 'Waiting':
      return begin(state, atMs, drop)
    case 'Over':
      return stay(state)
  }
}

/** Connection attempts that began before the change may never complete. */
const onNetworkChange = (state: SessionState, atMs: number): SessionStep =>
  state.phase === 'Dialing' || state.phase === 'Pausing' ? begin(state, atMs, drop) : stay(state)

const onWaitOver = (state: SessionState): SessionStep =>
  onEnd(state, { _tag: 'NotReached', reason: `no pod of it ran within ${seconds(state.patienceMs)}` })

export const step = (state: SessionState, event: SessionEvent): SessionStep => {
  const { phase } = state
  if (phase === 'Over') return stay(state)
  const isNow = 'attempt' in event && event.attempt === state.attempt
  switch (event._tag) {
    case 'Pod':
      return onPod(state, event.pod, event.atMs)
    case 'PodWaits':
      return onPodWaits(state, event.reason, event.atMs)
    case 'Linked':
      return isNow && phase === 'Dialing' ? onLinked(state, event.atMs) : stay(state)
    case 'NotLinked':
      return isNow && phase === 'Dialing' ? onFailure(state, event.reason, event.atMs) : stay(state)
    case 'Lost':
      return isNow && phase === 'Linked' ? lose(state, event.reason, event.atMs) : stay(state)
    case 'PauseOver':
      return isNow && phase === 'Pausing' && state.pod !== undefined ? dial(state, state.pod) : stay(state)
    case 'WaitOver':
      return isNow && phase === 'Waiting' ? onWaitOver(state) : stay(state)
    case 'Slept':
      return onSleep(state, event.atMs)
    case 'Tick':
      return onTick(state, event.atMs)
    case 'NetworkChanged':
      return onNetworkChange(state, event.atMs)
    case 'End':
      return onEnd(state, event.end)
  }
}
