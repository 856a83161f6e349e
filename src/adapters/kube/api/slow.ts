/** Reports requests that the API server leaves unanswered, and those that are repeated. */
import type { ApiRequest, Failure } from '../../../domain/cluster/failure.ts'
import { serverWords, showAsked } from '../../../domain/cluster/failure.ts'
import type { Clock } from '../../../ports/clock.ts'

/** `last`: why it is repeated. */
type Open = { readonly asked: ApiRequest; readonly sinceMs: number; last?: Failure }

/** One request, with all its attempts. `failed` is called after each attempt that may be repeated. */
type Slow = { readonly failed: (why: Failure) => void; readonly end: () => void }

const firstMs = 5000
const longestMs = 60_000

const textOf = ({ asked, last, sinceMs }: Open, others: number, now: number): string => {
  const seconds = Math.round((now - sinceMs) / 1000)
  const more = others === 0 ? '' : ` and ${others} more ${others === 1 ? 'request' : 'requests'}`
  const why = last === undefined ? 'no response' : (serverWords(last) ?? 'no response')
  return `waiting for the API server: ${showAsked(asked)}${more} (${seconds} s, ${why})`
}

/** One line for all requests together, after 5 seconds, then after twice as long as before, while any is open. */
export const slowRequests = (clock: Pick<Clock, 'now' | 'after'>, say: (text: string) => void) => {
  const open = new Set<Open>()
  let stop = (): void => {}
  const watch = (ms: number): void => {
    stop = clock.after(ms, () => {
      const now = clock.now()
      const [oldest, ...others] = [...open].filter(({ sinceMs }) => now - sinceMs >= firstMs)
      if (oldest !== undefined) say(textOf(oldest, others.length, now))
      watch(oldest === undefined ? firstMs : Math.min(ms * 2, longestMs))
    })
  }
  return (asked: ApiRequest): Slow => {
    const one: Open = { asked, sinceMs: clock.now() }
    if (open.size === 0) watch(firstMs)
    open.add(one)
    return {
      failed: (why) => {
        one.last = why
      },
      end: () => {
        open.delete(one)
        if (open.size === 0) stop()
      },
    }
  }
}
