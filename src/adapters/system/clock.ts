/** The port `Clock` over the clocks of this machine. */
import type { Clock } from '../../ports/clock.ts'

export const systemClock: Clock = {
  // Not performance.now(), which loads a dozen modules of Node.
  now: () => Number(process.hrtime.bigint()) / 1e6,
  wallMs: () => Date.now(),
  date: () => `${new Date().toISOString().slice(0, 19)}Z`,
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted === true) return resolve()
      const wake = (): void => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', wake)
        resolve()
      }
      const timer = setTimeout(wake, ms)
      signal?.addEventListener('abort', wake)
    }),
  after: (ms, f) => {
    const timer = setTimeout(f, ms)
    return () => clearTimeout(timer)
  },
  timeout: (ms) => AbortSignal.timeout(ms),
  every: (ms, f) => {
    const timer = setInterval(f, ms)
    timer.unref()
    return () => clearInterval(timer)
  },
}
