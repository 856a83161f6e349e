/**
 * Reads the log of one container to its end: broken streams are reopened, and the logs of restarted instances are read
 * one after the other. Time and the cluster arrive as events; the caller carries out the commands.
 */
import { type Failure, isForbidden } from '../cluster/failure.ts'
import { type Backoff, pauseAfter } from '../time/backoff.ts'
import type { LogContainer } from './sources.ts'

/** Rest: of an instance that has ended and is not replaced yet; Previous: of one that has been replaced. */
type LogPart = 'Present' | 'Rest' | 'Previous'

/** `failures`: how many requests in a row brought no new line. */
export type LogReaderState = { readonly container: LogContainer; readonly part: LogPart; readonly failures: number }

/**
 * Ended: the stream, with or without a failure. Looked: the answer of the server. Seen: the answer of the watch.
 * Without a container, its pod is gone.
 */
export type LogReaderEvent =
  | { readonly _tag: 'Ended'; readonly hasLines: boolean; readonly failure?: Failure }
  | { readonly _tag: 'Slept' | 'LookFailed' }
  | { readonly _tag: 'Looked' | 'Seen'; readonly now: LogContainer | undefined }

/** Look: ask the server for the container. Peek: ask the watch, at once or after its next change. */
export type LogReaderCommand =
  | { readonly _tag: 'Stream'; readonly isPrevious: boolean; readonly isFollowed: boolean }
  | { readonly _tag: 'Sleep'; readonly ms: number }
  | { readonly _tag: 'Peek'; readonly isLater: boolean }
  | { readonly _tag: 'Look' }
  | { readonly _tag: 'Stop' }

/** `Lost`: the stream will be opened again; `Failed` is the end. */
export type LogTrouble = { readonly _tag: 'Lost' | 'Failed'; readonly failure: Failure }

export type LogReaderStep = {
  readonly state: LogReaderState
  readonly command: LogReaderCommand
  readonly trouble?: LogTrouble
}

/** Which instances of the container are read: the current one, the one before, or both. */
export type LogInstances = 'Present' | 'Previous' | 'Both'

export type LogReading = { readonly isFollowing: boolean; readonly instances: LogInstances }

const pause: Backoff = { firstMs: 250, longestMs: 10_000 }
/** How often a log that is not followed is requested without a new line. */
const mostFailures = 5

const stop: LogReaderCommand = { _tag: 'Stop' }

const read = (reading: LogReading, state: LogReaderState, part: LogPart): LogReaderStep => ({
  state: { ...state, part },
  command: {
    _tag: 'Stream',
    isPrevious: part === 'Previous',
    isFollowed: part === 'Present' && reading.isFollowing,
  },
})

export const beginLog = (reading: LogReading, container: LogContainer): LogReaderStep => {
  const { instances } = reading
  const isPrevious = instances === 'Previous' || (instances === 'Both' && container.restarts > 0)
  return read(reading, { container, part: 'Present', failures: 0 }, isPrevious ? 'Previous' : 'Present')
}

/**
 * Whether the answer is final. A later request may succeed when nobody answered or the container is just being created;
 * a missing log is refused.
 */
const isFinal = (failure: Failure): boolean =>
  failure._tag === 'Aborted' || isForbidden(failure) || (failure._tag === 'Refused' && failure.status === 404)

const lastEnded = (
  { isFollowing }: LogReading,
  before: LogReaderState,
  { failure, hasLines }: Extract<LogReaderEvent, { readonly _tag: 'Ended' }>,
): LogReaderStep => {
  const failures = hasLines ? 0 : before.failures
  const state = { ...before, failures: failures + 1 }
  const sleep = { _tag: 'Sleep', ms: pauseAfter(pause, failures) } as const
  if (failure === undefined) return { state, command: before.container.isOver || !isFollowing ? stop : sleep }
  const isLast = isFinal(failure) || (!isFollowing && (failure._tag === 'Refused' || failures >= mostFailures))
  return { state, command: isLast ? stop : sleep, trouble: { _tag: isLast ? 'Failed' : 'Lost', failure } }
}

const ended = (
  reading: LogReading,
  state: LogReaderState,
  event: Extract<LogReaderEvent, { readonly _tag: 'Ended' }>,
): LogReaderStep => {
  switch (state.part) {
    case 'Present':
      return lastEnded(reading, state, event)
    // Unlike that of the current instance, the log of an ended one may be missing, which is not a failure.
    case 'Previous':
      return reading.instances === 'Previous' ? lastEnded(reading, state, event) : read(reading, state, 'Present')
    case 'Rest':
      return { state, command: { _tag: 'Peek', isLater: false } }
  }
}

const isReadable = ({ isOver, isRunning }: LogContainer): boolean => isRunning || isOver

const looked = (reading: LogReading, state: LogReaderState, now: LogContainer): LogReaderStep => {
  const next = { ...state, container: now }
  if (now.restarts > state.container.restarts) return read(reading, next, 'Previous')
  return read(reading, next, isReadable(now) ? 'Present' : 'Rest')
}

/** The rest of the instance in `state` was read, so if only one restart lies between, no instance was missed. */
const seen = (reading: LogReading, state: LogReaderState, now: LogContainer): LogReaderStep => {
  const instances = now.restarts - state.container.restarts
  if (instances <= 0 && !isReadable(now)) return { state, command: { _tag: 'Peek', isLater: true } }
  return read(reading, { ...state, container: now }, instances > 1 ? 'Previous' : 'Present')
}

/** Law: the log is never requested again without a pause, a look at the container or a change in between. */
export const stepLog = (reading: LogReading, state: LogReaderState, event: LogReaderEvent): LogReaderStep => {
  switch (event._tag) {
    case 'Ended':
      return ended(reading, state, event)
    case 'Slept':
      return reading.isFollowing ? { state, command: { _tag: 'Look' } } : read(reading, state, state.part)
    case 'LookFailed':
      return read(reading, state, 'Present')
    case 'Looked':
    case 'Seen': {
      const { now } = event
      if (now === undefined) return { state, command: stop }
      return event._tag === 'Looked' ? looked(reading, state, now) : seen(reading, state, now)
    }
  }
}
