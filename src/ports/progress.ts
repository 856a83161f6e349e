/** Where a command tells what it is doing. Never fails, never waits. */
import type { ProgressEvent } from '../domain/progress/event.ts'

export type Progress = {
  readonly tell: (event: ProgressEvent) => void
  /** Takes a live region away, so that what is printed next stands on lines of its own. */
  readonly end: () => void
}
