/** A command that goes on without its terminal: another process of this program, whose output goes to a file. */
import type { Task } from 'fp-ts/lib/Task.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Diagnostic } from '../domain/diagnostic/diagnostic.ts'

/** `status`: it has ended already, with this exit status. */
export type BackgroundProcess = { readonly pid: number; readonly status?: number }

export type Background = {
  /** What this process was given by the one that started it. */
  readonly given: string | undefined
  /** Tells the process that started this one that it works. */
  readonly ready: Task<void>
  /**
   * Runs the same command line again, and waits until it is ready or has ended. `log`: a path in the folder of devtool;
   * what it held is gone. With the signal, the process is ended.
   */
  readonly start: (given: string, log: string, signal: AbortSignal) => TaskEither<Diagnostic, BackgroundProcess>
}
