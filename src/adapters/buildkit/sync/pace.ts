/**
 * Limits how far the list of a folder runs ahead of the files that the builder requests. It handles messages in order
 * and is slow to create files: contents behind a long list would be held up until all of the list is handled.
 */
import type { Clock } from '../../../ports/clock.ts'

const mostAhead = 128
/** Without a request for this long, the builder has the following files already, or has caught up with the list. */
const silenceMs = 10

export type Pace = {
  readonly asked: (id: number) => void
  /** Returns a promise, to be awaited, while this entry is too far ahead. */
  readonly wait: (id: number) => Promise<void> | undefined
  readonly end: () => void
}

export const openPace = (clock: Pick<Clock, 'after'>): Pace => {
  let last = Number.POSITIVE_INFINITY
  let wanted = 0
  let wake: (() => void) | undefined
  let cancel = (): void => {}

  const go = (): void => {
    cancel()
    wake?.()
    wake = undefined
  }
  const rush = (): void => {
    last = Number.POSITIVE_INFINITY
    go()
  }
  const waitAgain = (): void => {
    cancel()
    cancel = clock.after(silenceMs, rush)
  }
  return {
    asked: (id) => {
      last = id
      if (wake === undefined) return
      if (wanted - id <= mostAhead) go()
      else waitAgain()
    },
    wait: (id) => {
      if (id - last <= mostAhead) return undefined
      wanted = id
      return new Promise((resolve) => {
        wake = resolve
        waitAgain()
      })
    },
    end: rush,
  }
}
