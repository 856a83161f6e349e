/** Bounded waits. */
import type { Clock } from '../../ports/clock.ts'

/** `undefined` when it does not settle in time, or before the signal. */
export const settledWithin = async <A>(
  clock: Pick<Clock, 'after'>,
  promise: Promise<A>,
  ms: number,
  signal?: AbortSignal,
): Promise<A | undefined> => {
  let giveUp = (): void => {}
  const late = new Promise<undefined>((resolve) => {
    giveUp = () => resolve(undefined)
  })
  const cancel = clock.after(ms, giveUp)
  signal?.addEventListener('abort', giveUp, { once: true })
  if (signal?.aborted === true) giveUp()
  try {
    return await Promise.race([promise, late])
  } finally {
    cancel()
    signal?.removeEventListener('abort', giveUp)
  }
}
