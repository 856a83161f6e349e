/** A command that goes on without its terminal: another process of this program, whose output goes to a file. */
import type { Task } from 'fp-ts/lib/Task.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Diagnostic } from '../domain/diagnostic/diagnostic.ts'

/** `status`: it has already ended, with this exit status. */
export type BackgroundProcess = { readonly pid: number; readonly status?: number }

export type Background = {
  /** The data that the parent process passed to this one. */
  readonly given: string | undefined
  /** Reports to the parent process that this one is ready. */
  readonly ready: Task<void>
  /**
   * Runs the same command line again, and waits until it is ready or has ended. `log`: a path in devtool's folder,
   * which is emptied. When the signal is aborted, the process is ended.
   */
  readonly start: (given: string, log: string, signal: AbortSignal) => TaskEither<Diagnostic, BackgroundProcess>
}
