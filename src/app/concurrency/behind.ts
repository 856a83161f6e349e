/** A clock that shows another time of day; what it measures stays the same. */
import type { IO } from 'fp-ts/lib/IO.js'
import { showMoment } from '../../domain/text/moment.ts'
import type { Clock } from '../../ports/clock.ts'

export const behind = (clock: Clock, byMs: IO<number>): Clock => {
  const wallMs = (): number => clock.wallMs() - byMs()
  return { ...clock, wallMs, date: () => showMoment({ seconds: Math.floor(wallMs() / 1000), nanos: 0 }) }
}
