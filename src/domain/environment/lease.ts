/**
 * The lock of an environment: a Lease of 30 seconds, renewed every 10. A holder counts as gone when the Lease has not
 * changed for that long, as measured here; the clocks of other machines are never trusted. Law: of all runs that follow
 * these steps, without breaking the lock, at most one at a time holds it.
 */

import { type Failure, failureDiagnostic, isUnsure } from '../cluster/failure.ts'
import { textAt } from '../cluster/json.ts'
import type { ClusterObject } from '../cluster/live.ts'
import { type Diagnostic, error } from '../diagnostic/diagnostic.ts'
import { defined } from '../object/defined.ts'

export const leaseMs = 30_000
const renewMs = 10_000
/** A holder that has not managed to renew for this long stops before its next write. */
const patienceMs = 20_000
const lookMs = 2000
const mostReleases = 4
const releasePauseMs = 200

/** `breaks`: takes the lock even if somebody holds it. */
export type Claim = { readonly environment: string; readonly holder: string; readonly breaks: boolean }

/** `seen`: the version of the Lease that was last found, and since when. `sentMs`: when the last write was sent. */
type Claiming = {
  readonly _tag: 'Claiming'
  readonly seen?: { readonly version: string; readonly sinceMs: number }
  readonly sentMs: number
  readonly unwritten?: Failure
}

/** `renewedMs`: when the last renewal was sent, not answered: others may start counting from then. */
type Held = {
  readonly _tag: 'Held'
  readonly live: ClusterObject | undefined
  readonly renewedMs: number
  readonly sentMs: number
}

export type LeaseState =
  | Claiming
  | Held
  | { readonly _tag: 'Refused'; readonly why: Diagnostic }
  | { readonly _tag: 'Lost'; readonly reason: string }
  | { readonly _tag: 'Releasing'; readonly live: ClusterObject; readonly tries: number }
  | { readonly _tag: 'Released' }

/** `isEnding`: the run that wants the lock has been asked to stop. */
export type LeaseEvent = { readonly atMs: number; readonly isEnding: boolean } & (
  | { readonly _tag: 'Slept' | 'Release' }
  | { readonly _tag: 'Read' | 'Written'; readonly live: ClusterObject | undefined }
  | { readonly _tag: 'ReadFailed' | 'WriteFailed'; readonly failure: Failure }
)

/**
 * Write: updates `live` with its uid and version as preconditions, or creates the Lease if there is none. An empty
 * `holder` releases it.
 */
export type LeaseCommand =
  | { readonly _tag: 'Look' }
  | { readonly _tag: 'Stop' }
  | { readonly _tag: 'Write'; readonly live: ClusterObject | undefined; readonly holder: string }
  | { readonly _tag: 'Sleep'; readonly ms: number; readonly waitsFor?: string }

export type LeaseStep = { readonly state: LeaseState; readonly command: LeaseCommand }

const look: LeaseCommand = { _tag: 'Look' }
const stop: LeaseCommand = { _tag: 'Stop' }

const holderOf = (live: ClusterObject | undefined): string => textAt(live, 'spec', 'holderIdentity') ?? ''

const isTaken = (failure: Failure): boolean => failure._tag === 'Refused' && failure.status === 409

/** Somebody else has written or deleted it. */
const isChanged = (failure: Failure): boolean =>
  isTaken(failure) || (failure._tag === 'Refused' && failure.status === 404)

const locked = (environment: string, holder: string): Diagnostic =>
  error('DT3110', `the environment "${environment}" is locked by ${holder}`, {
    help: 'wait until it finishes; if its process is gone, --break-lock takes the lock at once',
  })

const refuse = (why: Diagnostic): LeaseStep => ({ state: { _tag: 'Refused', why }, command: stop })

const holdFrom = (live: ClusterObject | undefined, renewedMs: number, atMs: number): LeaseStep => ({
  state: { _tag: 'Held', live, renewedMs, sentMs: renewedMs },
  command: { _tag: 'Sleep', ms: atMs - renewedMs > renewMs ? lookMs : renewMs },
})

export const beginClaim = (atMs: number): LeaseStep => ({ state: { _tag: 'Claiming', sentMs: atMs }, command: look })

/** Tries again shortly. `waitsFor`: the holder, given only the first time, for the message to the user. */
const lookAgain = (state: Claiming, waitsFor?: string): LeaseStep => ({
  state,
  command: { _tag: 'Sleep', ms: lookMs, ...defined({ waitsFor }) },
})

const claimRead = (claim: Claim, state: Claiming, live: ClusterObject | undefined, event: LeaseEvent): LeaseStep => {
  const { atMs, isEnding } = event
  const { seen, sentMs, unwritten } = state
  const [holder, version] = [holderOf(live), live?.metadata.resourceVersion]
  // Our own write succeeded, though its response was lost.
  if (holder === claim.holder) return holdFrom(live, sentMs, atMs)
  const isExpired = seen !== undefined && version === seen.version && atMs - seen.sinceMs >= leaseMs
  const known = seen ?? (version === undefined ? undefined : { version, sinceMs: atMs })
  const next: Claiming = { ...state, ...defined({ seen: known }) }
  if (holder === '' || claim.breaks || isExpired) {
    return { state: { ...next, sentMs: atMs }, command: { _tag: 'Write', live, holder: claim.holder } }
  }
  if (seen !== undefined && version !== seen.version) return refuse(locked(claim.environment, holder))
  if (isEnding)
    return refuse(unwritten === undefined ? locked(claim.environment, holder) : failureDiagnostic(unwritten))
  return lookAgain(next, seen === undefined ? holder : undefined)
}

const claimStep = (claim: Claim, state: Claiming, event: LeaseEvent): LeaseStep => {
  switch (event._tag) {
    case 'Slept':
    case 'Release':
      return { state, command: look }
    case 'Read':
      return claimRead(claim, state, event.live, event)
    case 'Written':
      return holdFrom(event.live, state.sentMs, event.atMs)
    case 'ReadFailed':
      return refuse(failureDiagnostic(state.unwritten ?? event.failure))
    case 'WriteFailed': {
      const { failure } = event
      const isFinal = event.isEnding || !(isTaken(failure) || isUnsure(failure))
      return isFinal ? refuse(failureDiagnostic(failure)) : lookAgain({ ...state, unwritten: failure })
    }
  }
}

const free = (state: Held): LeaseStep =>
  state.live === undefined
    ? { state: { _tag: 'Released' }, command: stop }
    : {
        state: { _tag: 'Releasing', live: state.live, tries: 1 },
        command: { _tag: 'Write', live: state.live, holder: '' },
      }

const heldStep = ({ holder }: Claim, state: Held, event: LeaseEvent): LeaseStep => {
  const { live, renewedMs } = state
  switch (event._tag) {
    case 'Slept':
      return { state: { ...state, sentMs: event.atMs }, command: { _tag: 'Write', live, holder } }
    case 'Written':
      return holdFrom(event.live, state.sentMs, event.atMs)
    case 'WriteFailed':
      return isChanged(event.failure) ? { state, command: look } : holdFrom(live, renewedMs, event.atMs)
    case 'ReadFailed':
      return holdFrom(live, renewedMs, event.atMs)
    case 'Read':
      if (event.live !== undefined && holderOf(event.live) === holder)
        return holdFrom(event.live, renewedMs, event.atMs)
      return {
        state: {
          _tag: 'Lost',
          reason: event.live === undefined ? 'it was deleted' : `${holderOf(event.live)} took it`,
        },
        command: stop,
      }
    case 'Release':
      return free(state)
  }
}

type Releasing = Extract<LeaseState, { readonly _tag: 'Releasing' }>

const releaseStep = ({ holder }: Claim, state: Releasing, event: LeaseEvent): LeaseStep => {
  const released: LeaseStep = { state: { _tag: 'Released' }, command: stop }
  const again = (live: ClusterObject): LeaseStep =>
    state.tries >= mostReleases
      ? released
      : { state: { ...state, live, tries: state.tries + 1 }, command: { _tag: 'Write', live, holder: '' } }
  switch (event._tag) {
    case 'Slept':
      return again(state.live)
    case 'Read':
      return event.live !== undefined && holderOf(event.live) === holder ? again(event.live) : released
    case 'WriteFailed':
      if (isChanged(event.failure)) return { state, command: look }
      if (event.failure._tag === 'Aborted' || state.tries >= mostReleases) return released
      return { state, command: { _tag: 'Sleep', ms: releasePauseMs } }
    case 'Written':
    case 'ReadFailed':
    case 'Release':
      return released
  }
}

export const stepLease = (claim: Claim, state: LeaseState, event: LeaseEvent): LeaseStep => {
  switch (state._tag) {
    case 'Claiming':
      return claimStep(claim, state, event)
    case 'Held':
      return heldStep(claim, state, event)
    case 'Releasing':
      return releaseStep(claim, state, event)
    case 'Lost':
    case 'Refused':
    case 'Released':
      return { state, command: stop }
  }
}

/** DT3111: why nothing more may be written; `undefined` while the lock is held. */
export const lostLock = (environment: string, state: LeaseState, atMs: number): Diagnostic | undefined => {
  const isOld = state._tag === 'Held' && atMs - state.renewedMs > patienceMs
  const reason = state._tag === 'Lost' ? state.reason : isOld ? 'it could not be renewed' : undefined
  if (reason === undefined) return undefined
  const help = 'no further change was made: run the command again'
  return error('DT3111', `the lock of the environment "${environment}" was lost: ${reason}`, { help })
}
