/** Yields to other work of this process: a builder checks every five seconds whether it is alive. */
import type { Clock } from '../../../ports/clock.ts'

const turnMs = 8
const shortTurnMs = 0.5

/** Returns a promise, to be awaited, when other tasks have waited too long. */
export type Turn = () => Promise<void> | undefined

const turns = (clock: Pick<Clock, 'now'>, longestMs: number): Turn => {
  let sinceMs = clock.now()
  let waiting: Promise<void> | undefined
  return () => {
    if (waiting !== undefined) return waiting
    if (clock.now() - sinceMs < longestMs) return undefined
    waiting = new Promise((resolve) => {
      setImmediate(() => {
        sinceMs = clock.now()
        waiting = undefined
        resolve()
      })
    })
    return waiting
  }
}

export const takeTurns = (clock: Pick<Clock, 'now'>): Turn => turns(clock, turnMs)

/** For background work: yields almost at once. */
export const giveWay = (clock: Pick<Clock, 'now'>): Turn => turns(clock, shortTurnMs)
