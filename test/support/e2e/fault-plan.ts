/** Decides the fault of each request by a seed, the method, the path and the number of equal requests before. */
import { createHash } from 'node:crypto'

/**
 * Throttled: 429 with Retry-After. Broken: 500. Unavailable: 503 without Retry-After. Denied: 401. ResetBefore,
 * ResetAfter: the connection ends before the server gets the request, or after it has carried it out. Stalled: no
 * answer, ever. Truncated: half of the body. Delayed: by `delayMs`. Conflict: 409, as if somebody else had written
 * meanwhile.
 */
export type Fault =
  | 'Throttled'
  | 'Broken'
  | 'Unavailable'
  | 'Denied'
  | 'ResetBefore'
  | 'ResetAfter'
  | 'Stalled'
  | 'Truncated'
  | 'Delayed'
  | 'Conflict'

/** What happens to an event of a watch. Gone: replaced by 410, and the watch ends. Silent: no events from then on. */
export type EventFault = 'Doubled' | 'Dropped' | 'Cut' | 'Gone' | 'Silent'

/** Probabilities, 0 to 1. */
export type Rates<Name extends string> = Readonly<Partial<Record<Name, number>>>

/** A number from 0 (inclusive) to 1 (exclusive), always the same for the same words. */
export const drawOf = (...words: ReadonlyArray<string | number>): number =>
  createHash('sha256').update(words.join('\n')).digest().readUInt32BE(0) / 2 ** 32

/** The fault whose interval contains the draw. */
const pick = <Name extends string>(rates: Rates<Name>, names: ReadonlyArray<Name>, draw: number): Name | undefined => {
  let end = 0
  for (const name of names) {
    end += rates[name] ?? 0
    if (draw < end) return name
  }
  return undefined
}

const faults: ReadonlyArray<Fault> = [
  'Throttled',
  'Broken',
  'Unavailable',
  'Denied',
  'ResetBefore',
  'ResetAfter',
  'Stalled',
  'Truncated',
  'Delayed',
]
const eventFaults: ReadonlyArray<EventFault> = ['Doubled', 'Dropped', 'Cut', 'Gone', 'Silent']

/** The namespace differs from run to run, and must not change the meaning of the seed. */
const anywhere = (path: string): string => path.replace(/\/namespaces\/[^/]+/, '/namespaces/any')

export type FaultPlan = {
  /** Also counts. */
  readonly of: (method: string, path: string) => Fault | undefined
  /** `event`: its number in the latest watch of this path, from 0. */
  readonly ofEvents: (path: string) => (event: number) => EventFault | undefined
}

/** Stateful: counts equal requests. `isFirstWriteRefused`: 409 for the first write of each path. */
export const faultPlan = (
  seed: number,
  rates: Rates<Fault>,
  eventRates: Rates<EventFault>,
  isFirstWriteRefused: boolean,
): FaultPlan => {
  const counts = new Map<string, number>()
  return {
    of: (method, path) => {
      const key = `${method} ${anywhere(path)}`
      const ordinal = counts.get(key) ?? 0
      counts.set(key, ordinal + 1)
      if (isFirstWriteRefused && ordinal === 0 && (method === 'PATCH' || method === 'PUT')) return 'Conflict'
      return pick(rates, faults, drawOf(seed, key, ordinal))
    },
    ofEvents: (path) => {
      const key = anywhere(path)
      const ordinal = counts.get(`WATCH ${key}`) ?? 0
      return (event) => pick(eventRates, eventFaults, drawOf(seed, key, ordinal, event))
    },
  }
}
