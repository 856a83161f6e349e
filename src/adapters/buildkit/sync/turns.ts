/** Taking turns with everything else that this process has to do: a builder asks every five seconds whether it is alive. */

const longestMs = 8

/** A promise when it has been too long (8 ms) since anything else could run: to be awaited. */
export type Turn = () => Promise<void> | undefined

export const takeTurns = (turnMs = longestMs): Turn => {
  let sinceMs = performance.now()
  let waiting: Promise<void> | undefined
  return () => {
    if (waiting !== undefined) return waiting
    if (performance.now() - sinceMs < turnMs) return undefined
    waiting = new Promise((resolve) => {
      setImmediate(() => {
        sinceMs = performance.now()
        waiting = undefined
        resolve()
      })
    })
    return waiting
  }
}
