/** Pings a silent builder, and reports when it does not answer. */
import type { Keepalive } from '../../../domain/build/keepalive.ts'
import type { Clock } from '../../../ports/clock.ts'

export type Watched = {
  /** Bytes received since the connection began: any byte is a sign of life. */
  readonly receivedBytes: () => number
  readonly isBusy: () => boolean
  readonly ping: () => void
  readonly fallSilent: (afterMs: number) => void
}

const longestTickMs = 1000

/** Checks at a tenth of the interval, so that a ping is not much late. */
const tickOf = ({ timeMs, timeoutMs }: Keepalive): number =>
  Math.max(1, Math.min(longestTickMs, timeMs / 10, timeoutMs / 10))

/**
 * Returns a function that stops it. It compares a counter instead of hooking each read, which costs nothing under load.
 * Does not keep the process alive.
 */
export const keepAlive = (
  keepalive: Keepalive,
  watched: Watched,
  clock: Pick<Clock, 'every' | 'now'>,
): (() => void) => {
  const { timeMs, timeoutMs, whileIdle } = keepalive
  if (timeMs === Number.POSITIVE_INFINITY) return () => {}
  let seenBytes = watched.receivedBytes()
  let quietSince = clock.now()
  let pingedAt: number | undefined
  let late: NodeJS.Immediate | undefined

  const isQuiet = (): boolean => {
    const received = watched.receivedBytes()
    if (received === seenBytes && (whileIdle || watched.isBusy())) return true
    seenBytes = received
    quietSince = clock.now()
    pingedAt = undefined
    return false
  }
  const stopLooking = clock.every(tickOf(keepalive), () => {
    if (!isQuiet()) return
    const now = clock.now()
    if (pingedAt === undefined) {
      if (now - quietSince < timeMs) return
      pingedAt = now
      watched.ping()
      return
    }
    if (now - pingedAt < timeoutMs) return
    // After this process was busy, the response may not have been read yet: immediates run after sockets.
    late = setImmediate(() => {
      if (!isQuiet()) return
      stop()
      watched.fallSilent(timeMs + timeoutMs)
    })
  })
  const stop = (): void => {
    stopLooking()
    clearImmediate(late)
  }
  return stop
}
