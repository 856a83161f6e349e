/** The port `Progress`, recording all events. */
import type { ProgressEvent } from '../../src/domain/progress/event.ts'
import type { Progress } from '../../src/ports/progress.ts'

/** `ends`: how often `end` was called. */
export type MemoryProgress = Progress & {
  readonly events: () => ReadonlyArray<ProgressEvent>
  readonly ends: () => number
}

export const memoryProgress = (): MemoryProgress => {
  const events: Array<ProgressEvent> = []
  let ends = 0
  return {
    tell: (event) => {
      events.push(event)
    },
    end: () => {
      ends += 1
    },
    events: () => events,
    ends: () => ends,
  }
}
