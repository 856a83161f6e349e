/** Programs on this machine, with byte streams in both directions. */
import type { Readable, Writable } from 'node:stream'
import type { Task } from 'fp-ts/lib/Task.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Diagnostic } from '../domain/diagnostic/diagnostic.ts'

/**
 * `env` is the whole environment. The first word of `argv` is looked up on its PATH, or is a path relative to `folder`.
 */
export type Program = {
  readonly argv: ReadonlyArray<string>
  readonly folder: string
  readonly env: ReadonlyMap<string, string>
}

/** Outputs that are not read block the program. They may end after the exit. */
export type Spawned = {
  readonly stdin: Writable
  readonly stdout: Readable
  readonly stderr: Readable
  /** Sends a signal to the whole process group of the program. Does nothing when no process is left. */
  readonly kill: (signal: 'SIGHUP' | 'SIGINT' | 'SIGTERM' | 'SIGKILL') => void
  /** 128 + n when signal n ended it. */
  readonly exit: Task<number>
}

export type Processes = {
  /**
   * When the signal is aborted, or on Ctrl-C, the process group is interrupted, and killed if it does not exit. Fails
   * with DT3503.
   */
  readonly spawn: (program: Program, signal: AbortSignal) => TaskEither<Diagnostic, Spawned>
  /**
   * With the streams of this process, whose terminal belongs to the program until it exits: Ctrl-C does not interrupt
   * this process then. When the signal is aborted, the program and everything it started are ended. The exit status is
   * as above. Fails with DT3503.
   */
  readonly attach: (program: Program, signal: AbortSignal) => TaskEither<Diagnostic, number>
}
