/** The end of a run: a timeout or an interruption. */
import type { Clock } from '../../ports/clock.ts'

const TIMEOUT = 'timeout'

/** Whether the timeout was reached; a signal aborted for another reason was an interruption. */
export const isTimeout = ({ reason }: AbortSignal): boolean => reason === TIMEOUT

/** `clear` stops the timer. */
type Deadline = { readonly signal: AbortSignal; readonly clear: () => void }

export const deadline = (clock: Clock, timeoutMs: number, interrupted: AbortSignal): Deadline => {
  const [late, cleared] = [new AbortController(), new AbortController()]
  const expire = async (): Promise<void> => {
    await clock.sleep(timeoutMs, cleared.signal)
    if (!cleared.signal.aborted) late.abort(TIMEOUT)
  }
  void expire()
  return { signal: AbortSignal.any([interrupted, late.signal]), clear: () => cleared.abort() }
}

/**
 * How long a run may take to release its resources. After Ctrl-C it waits for slow servers, since a second Ctrl-C ends
 * the process at once.
 */
export const leavingMs = (signal: AbortSignal): number => {
  if (!signal.aborted) return 15_000
  return isTimeout(signal) ? 1500 : 8000
}

/** `late` comes {@link leavingMs} after the end of the run. `clear` stops the timer. */
export const lingering = (
  clock: Pick<Clock, 'after'>,
  signal: AbortSignal,
): { readonly late: AbortSignal; readonly clear: () => void } => {
  const [late, cleared] = [new AbortController(), new AbortController()]
  const linger = (): void => {
    const stop = clock.after(leavingMs(signal), () => late.abort(signal.reason))
    cleared.signal.addEventListener('abort', stop, { once: true })
  }
  if (signal.aborted) linger()
  else signal.addEventListener('abort', linger, { once: true, signal: cleared.signal })
  return { late: late.signal, clear: () => cleared.abort() }
}

/** The work's result if it arrives within `ms`. Work that takes longer is abandoned, and its signal is aborted. */
export const atMost = async <A>(
  clock: Clock,
  ms: number,
  work: (late: AbortSignal) => Promise<A>,
): Promise<A | undefined> => {
  const [done, late] = [new AbortController(), new AbortController()]
  const expire = async (): Promise<undefined> => {
    await clock.sleep(ms, done.signal)
    if (!done.signal.aborted) late.abort(TIMEOUT)
  }
  const expired = expire()
  try {
    const result = await Promise.race([work(late.signal), expired])
    return late.signal.aborted ? undefined : result
  } finally {
    done.abort()
  }
}
