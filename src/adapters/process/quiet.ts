/** The end of an output that is only known by its silence. */
import type { Clock } from '../../ports/clock.ts'

type Quiet = { readonly wait: () => void; readonly stop: () => void }

/**
 * Calls `finish` when `wait` was not called for this long. What has come while this process was suspended is read
 * first.
 */
export const onceQuiet = (clock: Pick<Clock, 'after'>, ms: number, finish: () => void): Quiet => {
  let waits = 0
  let stopTimer = (): void => {}
  const stop = (): void => {
    waits += 1
    stopTimer()
  }
  const look = (): void => {
    const before = waits
    setImmediate(() => {
      if (waits === before) finish()
    })
  }
  return {
    stop,
    wait: () => {
      stop()
      stopTimer = clock.after(ms, look)
    },
  }
}
