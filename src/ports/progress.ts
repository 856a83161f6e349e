/** Reports what a command is doing. Never fails, never waits. */
import type { ProgressEvent } from '../domain/progress/event.ts'

export type Progress = {
  readonly tell: (event: ProgressEvent) => void
  /** Removes the live region, so that further output starts on a line of its own. */
  readonly end: () => void
}
