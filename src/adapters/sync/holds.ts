/**
 * Files that were replaced or deleted, kept under another name for a moment: a program may have opened one before and
 * write to it afterwards.
 */
import type { Clock } from '../../ports/clock.ts'

export type Holds = {
  /** `settle` deletes the file, or gives it a name when it was written to. */
  readonly add: (held: string, settle: () => void) => void
  /** Settles all of them at once, and later ones as soon as they are added. */
  readonly close: () => void
}

/** Longer than a program is stopped that has used up its share of the processor: such periods are 100 ms. */
const heldMs = 250

export const newHolds = ({ after }: Pick<Clock, 'after'>): Holds => {
  const all = new Map<string, () => void>()
  let isClosed = false
  const settle = (held: string): void => {
    const end = all.get(held)
    all.delete(held)
    try {
      end?.()
    } catch {
      // The folder is gone, or cannot be written any more.
    }
  }
  return {
    add: (held, end) => {
      all.set(held, end)
      if (isClosed) settle(held)
      else after(heldMs, () => settle(held))
    },
    close: () => {
      isClosed = true
      for (const held of [...all.keys()]) settle(held)
    },
  }
}
