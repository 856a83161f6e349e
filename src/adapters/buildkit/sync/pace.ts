/**
 * How far the list of a folder may run ahead of the files that the builder asks for. It takes messages in order, and is slow
 * to make files: contents behind a long list would wait until all of it is worked off, and the disk with them.
 */
import type { Clock } from '../../../ports/clock.ts'

const mostAhead = 128
/** Without a request for so long, what follows is known to the builder already, or it is done with the list so far. */
const silenceMs = 10

export type Pace = {
  readonly asked: (id: number) => void
  /** A promise while this entry is too far ahead: to be awaited. */
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
