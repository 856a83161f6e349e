/** Taking turns with everything else that this process has to do: a builder asks every five seconds whether it is alive. */
import type { Clock } from '../../../ports/clock.ts'

const turnMs = 8
const shortTurnMs = 0.5

/** A promise when it has been too long since anything else could run: to be awaited. */
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

/** For what nobody waits for: whatever else comes up waits hardly at all. */
export const giveWay = (clock: Pick<Clock, 'now'>): Turn => turns(clock, shortTurnMs)
