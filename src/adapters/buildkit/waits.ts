/** Waits that end. */

/** `undefined`: it has not settled in time, or before the signal. */
export const settledWithin = async <A>(
  promise: Promise<A>,
  ms: number,
  signal?: AbortSignal,
): Promise<A | undefined> => {
  let giveUp = (): void => {}
  const late = new Promise<undefined>((resolve) => {
    giveUp = () => resolve(undefined)
  })
  const timer = setTimeout(giveUp, ms)
  signal?.addEventListener('abort', giveUp, { once: true })
  if (signal?.aborted === true) giveUp()
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', giveUp)
  }
}
