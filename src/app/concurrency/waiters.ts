/** Waiting for events by topic, with a timeout. */
import type { Clock } from '../../ports/clock.ts'

/**
 * `wait` ends when its topic is woken, after `ms` when given, or with the signal; without a topic only the latter two
 * end it. All waiters share one abort listener: adding and removing thousands a second is slow, and Node warns of a
 * leak.
 */
export type Waiters = {
  readonly wake: (topic: string) => void
  readonly wait: (topic: string | undefined, ms?: number) => Promise<void>
}

export const waiters = (clock: Pick<Clock, 'after'>, signal: AbortSignal): Waiters => {
  const waiting = new Map<string | undefined, Set<() => void>>()
  const wakeAll = (topic: string | undefined): void => {
    const woken = waiting.get(topic) ?? []
    waiting.delete(topic)
    for (const end of woken) end()
  }
  signal.addEventListener('abort', () => [...waiting.keys()].forEach(wakeAll), { once: true })
  const wait: Waiters['wait'] = (topic, ms) =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve()
      const others = waiting.get(topic) ?? new Set<() => void>()
      const end = (): void => {
        letGo()
        others.delete(end)
        if (others.size === 0 && waiting.get(topic) === others) waiting.delete(topic)
        resolve()
      }
      const letGo = ms === undefined ? (): void => {} : clock.after(ms, end)
      waiting.set(topic, others.add(end))
    })
  return { wake: wakeAll, wait }
}
