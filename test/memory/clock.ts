/** The port `Clock` with simulated time, which stands still until a test advances it. */
import type { Clock } from '../../src/ports/clock.ts'

/**
 * `sleeping`: the number of sleepers; `nextMs`: the time until the first one wakes. `advance` wakes them in order, each
 * at its own time, and waits until they have run.
 */
export type MemoryClock = Clock & {
  readonly sleeping: () => number
  readonly nextMs: () => number | undefined
  readonly advance: (ms: number) => Promise<void>
}

type Sleeper = { readonly untilMs: number; readonly wake: () => void }

/** Resolves when everything has run that needs no time and at most this many turns of the event loop. */
export const settle = async (turns = 3): Promise<void> => {
  for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

/** `date`: the wall clock at 0 ms. */
export const memoryClock = (date = '2026-11-21T10:00:00Z'): MemoryClock => {
  const startMs = Date.parse(date)
  const sleepers = new Set<Sleeper>()
  let nowMs = 0

  const next = (): Sleeper | undefined => [...sleepers].toSorted((a, b) => a.untilMs - b.untilMs)[0]

  /** Calls `f` at this time, unless the returned function is called first. */
  const at = (untilMs: number, f: () => void): (() => void) => {
    const sleeper: Sleeper = {
      untilMs,
      wake: () => {
        sleepers.delete(sleeper)
        f()
      },
    }
    sleepers.add(sleeper)
    return () => sleepers.delete(sleeper)
  }

  return {
    now: () => nowMs,
    wallMs: () => startMs + nowMs,
    date: () => `${new Date(startMs + nowMs).toISOString().slice(0, 19)}Z`,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted === true) {
          resolve()
          return
        }
        const sleeper: Sleeper = {
          untilMs: nowMs + ms,
          wake: () => {
            sleepers.delete(sleeper)
            signal?.removeEventListener('abort', sleeper.wake)
            resolve()
          },
        }
        sleepers.add(sleeper)
        signal?.addEventListener('abort', sleeper.wake, { once: true })
      }),
    after: (ms, f) => at(nowMs + ms, f),
    timeout: (ms) => {
      const late = new AbortController()
      at(nowMs + ms, () => late.abort())
      return late.signal
    },
    every: (ms, f) => {
      let stop = (): void => {}
      const again = (): void => {
        stop = at(nowMs + ms, () => {
          again()
          f()
        })
      }
      again()
      return () => stop()
    },
    sleeping: () => sleepers.size,
    nextMs: () => {
      const first = next()
      return first === undefined ? undefined : first.untilMs - nowMs
    },
    advance: async (ms) => {
      const endMs = nowMs + ms
      await settle()
      for (let sleeper = next(); sleeper !== undefined && sleeper.untilMs <= endMs; sleeper = next()) {
        nowMs = sleeper.untilMs
        sleeper.wake()
        await settle()
      }
      nowMs = endMs
    },
  }
}
