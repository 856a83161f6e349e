/**
 * The lock of an environment: a Lease of 30 seconds, renewed every 10. A holder counts as gone when the Lease has not
 * changed for that long, as measured here, or at once when its process was on this machine and has ended; the clocks of
 * other machines are never trusted. Law: of all runs that follow these steps, without breaking the lock, at most one at
 * a time holds it.
 */

import { type Failure, failureDiagnostic, isAbsent, isConflict, isForbidden, isUnsure } from '../cluster/failure.ts'
import { textAt } from '../cluster/json.ts'
import type { ClusterObject } from '../cluster/live.ts'
import { type Diagnostic, error } from '../diagnostic/diagnostic.ts'
import { defined } from '../object/defined.ts'

export const leaseMs = 30_000
const renewMs = 10_000
/**
 * A holder that has failed to renew for this long writes nothing until it has renewed, and gives up after as long
 * again.
 */
export const patienceMs = 20_000
const lookMs = 2000
const mostReleases = 4
const releasePauseMs = 200

/**
 * `what` is locked, in words. `breaks`: takes the lock even if somebody holds it. `waitsMs`: how long it waits for a
 * holder that is alive.
 */
export type Claim = {
  readonly what: string
  readonly holder: string
  readonly breaks: boolean
  readonly waitsMs: number
}

/** The Lease as it was last found, and since when. `isAlive`: its holder renewed it meanwhile. */
type ObservedLease = {
  readonly version: string
  readonly sinceMs: number
  readonly holder: string
  readonly isAlive: boolean
}

/** `sentMs`: when the last write was sent. `unwritten`: why it may not have succeeded. */
type Claiming = {
  readonly _tag: 'Claiming'
  readonly beganMs: number
  readonly seen?: ObservedLease
  readonly sentMs: number
  readonly unwritten?: Failure
}

/** `renewedMs`: when the last renewal was sent, not answered: others may start counting from then. */
type HeldLease = {
  readonly _tag: 'Held'
  readonly live: ClusterObject | undefined
  readonly renewedMs: number
  readonly sentMs: number
}

export type LeaseState =
  | Claiming
  | HeldLease
  | { readonly _tag: 'Refused'; readonly why: Diagnostic }
  | { readonly _tag: 'Lost'; readonly reason: string }
  | { readonly _tag: 'Releasing'; readonly live: ClusterObject; readonly tries: number; readonly isKept: boolean }
  /** `isKept`: the Lease is still there, without a holder. */
  | { readonly _tag: 'Released'; readonly isKept?: boolean }

/**
 * `isEnding`: the run that wants the lock has been asked to stop. `isAbandoned`: the process of the holder has ended.
 */
export type LeaseEvent = { readonly atMs: number; readonly isEnding: boolean } & (
  | { readonly _tag: 'Slept' | 'Release' }
  | { readonly _tag: 'Read'; readonly live: ClusterObject | undefined; readonly isAbandoned: boolean }
  | { readonly _tag: 'Written'; readonly live: ClusterObject | undefined }
  | { readonly _tag: 'ReadFailed' | 'WriteFailed'; readonly failure: Failure }
)

/**
 * Write: updates `live` with its uid and version as preconditions, or creates the Lease if there is none. An empty
 * `holder` releases it. Remove: deletes it as it was read. `mustEnd`: an interruption must not cut it off, since a
 * write of ours may be under way.
 */
export type LeaseCommand =
  | { readonly _tag: 'Look'; readonly mustEnd: boolean }
  | { readonly _tag: 'Stop' }
  | { readonly _tag: 'Write'; readonly live: ClusterObject | undefined; readonly holder: string }
  | { readonly _tag: 'Remove'; readonly live: ClusterObject }
  | { readonly _tag: 'Sleep'; readonly ms: number; readonly waitsFor?: string }

export type LeaseStep = { readonly state: LeaseState; readonly command: LeaseCommand }

const look: LeaseCommand = { _tag: 'Look', mustEnd: true }
const stop: LeaseCommand = { _tag: 'Stop' }

/** Empty when nobody holds it. */
export const holderOf = (live: ClusterObject | undefined): string => textAt(live, 'spec', 'holderIdentity') ?? ''

/** Somebody else has written or deleted it. */
const isChanged = (failure: Failure): boolean => isConflict(failure) || isAbsent(failure)

/** Who holds it, and since when. */
const showHolder = (live: ClusterObject | undefined): string => {
  const since = textAt(live, 'spec', 'acquireTime')?.replace(/\.\d+Z$/, 'Z')
  return holderOf(live) + (since === undefined ? '' : ` since ${since}`)
}

const locked = (what: string, live: ClusterObject | undefined): Diagnostic =>
  error('DT3110', `${what} is locked by ${showHolder(live)}`, {
    help: '--wait-for-lock 10m waits until it finishes; if its process is gone, --break-lock takes the lock at once',
  })

const refuse = (why: Diagnostic): LeaseStep => ({ state: { _tag: 'Refused', why }, command: stop })

const holdFrom = (live: ClusterObject | undefined, renewedMs: number, atMs: number): LeaseStep => ({
  state: { _tag: 'Held', live, renewedMs, sentMs: renewedMs },
  command: { _tag: 'Sleep', ms: atMs - renewedMs >= renewMs ? lookMs : renewMs },
})

export const beginClaim = (atMs: number): LeaseStep => ({
  state: { _tag: 'Claiming', beganMs: atMs, sentMs: atMs },
  command: { _tag: 'Look', mustEnd: false },
})

/** Looks again after a short pause. `waitsFor`: the holder, given only the first time, for the message to the user. */
const lookAgain = (state: Claiming, waitsFor?: string): LeaseStep => ({
  state,
  command: { _tag: 'Sleep', ms: lookMs, ...defined({ waitsFor }) },
})

const claimRead = (claim: Claim, state: Claiming, event: Extract<LeaseEvent, { readonly _tag: 'Read' }>): LeaseStep => {
  const { atMs, isAbandoned, isEnding, live } = event
  const { beganMs, seen, sentMs, unwritten } = state
  const [holder, version] = [holderOf(live), live?.metadata.resourceVersion ?? '']
  // Our own write succeeded, though its response was lost.
  if (holder === claim.holder) return holdFrom(live, sentMs, atMs)
  if (isEnding) return refuse(unwritten === undefined ? locked(claim.what, live) : failureDiagnostic(unwritten))
  const isSame = seen !== undefined && version === seen.version
  const isExpired = isSame && atMs - seen.sinceMs >= leaseMs
  if (holder === '' || claim.breaks || isAbandoned || isExpired) {
    return { state: { ...state, sentMs: atMs }, command: { _tag: 'Write', live, holder: claim.holder } }
  }
  const isAlive = seen !== undefined && (seen.isAlive || !isSame)
  if (isAlive && atMs - beganMs >= claim.waitsMs) return refuse(locked(claim.what, live))
  if (isSame) return lookAgain(state)
  const next: Claiming = { ...state, seen: { version, sinceMs: atMs, holder, isAlive } }
  return lookAgain(next, seen?.holder === holder ? undefined : showHolder(live))
}

/** After a write whose outcome is unknown, the Lease is read again, even by a run that ends. */
const claimUnwritten = (state: Claiming, failure: Failure, { isEnding }: LeaseEvent): LeaseStep => {
  if (isUnsure(failure)) {
    const unsure = { ...state, unwritten: failure }
    return isEnding ? { state: unsure, command: look } : lookAgain(unsure)
  }
  return isEnding || !isConflict(failure) ? refuse(failureDiagnostic(failure)) : lookAgain(state)
}

const claimStep = (claim: Claim, state: Claiming, event: LeaseEvent): LeaseStep => {
  switch (event._tag) {
    case 'Slept':
    case 'Release':
      return { state, command: { _tag: 'Look', mustEnd: state.unwritten !== undefined } }
    case 'Read':
      return claimRead(claim, state, event)
    case 'Written':
      return holdFrom(event.live, state.sentMs, event.atMs)
    case 'ReadFailed':
      return refuse(failureDiagnostic(state.unwritten ?? event.failure))
    case 'WriteFailed':
      return claimUnwritten(state, event.failure, event)
  }
}

const released: LeaseStep = { state: { _tag: 'Released' }, command: stop }

const releaseOf = (live: ClusterObject, tries: number, isKept: boolean): LeaseStep => ({
  state: { _tag: 'Releasing', live, tries, isKept },
  command: isKept ? { _tag: 'Write', live, holder: '' } : { _tag: 'Remove', live },
})

const heldStep = ({ holder }: Claim, state: HeldLease, event: LeaseEvent): LeaseStep => {
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
      return live === undefined ? released : releaseOf(live, 1, false)
  }
}

type Releasing = Extract<LeaseState, { readonly _tag: 'Releasing' }>

/** A run that is not permitted to delete the Lease leaves it without a holder. */
const releaseStep = ({ holder }: Claim, state: Releasing, event: LeaseEvent): LeaseStep => {
  const { isKept, tries } = state
  const isLast = tries >= mostReleases
  const pausing: LeaseStep = { state, command: { _tag: 'Sleep', ms: releasePauseMs } }
  switch (event._tag) {
    case 'Slept':
      return isLast ? released : releaseOf(state.live, tries + 1, isKept)
    case 'Read':
      return event.live !== undefined && holderOf(event.live) === holder && !isLast
        ? releaseOf(event.live, tries + 1, isKept)
        : released
    case 'WriteFailed':
      if (isForbidden(event.failure) && !isKept) return releaseOf(state.live, tries, true)
      if (isChanged(event.failure)) return { state, command: look }
      return event.failure._tag === 'Aborted' || isLast ? released : pausing
    case 'ReadFailed':
      return event.failure._tag === 'Aborted' || isLast ? released : pausing
    case 'Written':
      return { state: { _tag: 'Released', isKept }, command: stop }
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

/**
 * Somebody else may have taken the lock. The next renewal decides, since it succeeds only if nobody did: a machine that
 * was slow or suspended goes on.
 */
export const isOverdue = (state: LeaseState, atMs: number): boolean =>
  state._tag === 'Held' && atMs - state.renewedMs > patienceMs

/** DT3111: why nothing more may be written; `undefined` while the lock is held. */
export const lostLock = (what: string, state: LeaseState, atMs: number): Diagnostic | undefined => {
  const reason = state._tag === 'Lost' ? state.reason : isOverdue(state, atMs) ? 'it could not be renewed' : undefined
  if (reason === undefined) return undefined
  const help = 'no further change was made: run the command again'
  return error('DT3111', `the lock of ${what} was lost: ${reason}`, { help })
}
