/** Programs of this machine, with bytes in both directions. */
import type { Readable, Writable } from 'node:stream'
import type { Task } from 'fp-ts/lib/Task.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Diagnostic } from '../domain/diagnostic/diagnostic.ts'

/** `env` is all of it. The first word of `argv` is looked up on its PATH, or a path from `folder`. */
type Program = {
  readonly argv: ReadonlyArray<string>
  readonly folder: string
  readonly env: ReadonlyMap<string, string>
}

/** Outputs that are not read hold the program up. They end by themselves, which may be after the exit. */
export type Spawned = {
  readonly stdin: Writable
  readonly stdout: Readable
  readonly stderr: Readable
  /** To the program and everything it started in its process group. Harmless when nothing of it is left. */
  readonly kill: (signal: 'SIGHUP' | 'SIGINT' | 'SIGTERM' | 'SIGKILL') => void
  /** 128 + n when signal n ended it. */
  readonly exit: Task<number>
}

export type Processes = {
  /** With the signal, or with ^C, the process group is interrupted, and killed when that does not end it. Fails with DT3503. */
  readonly spawn: (program: Program, signal: AbortSignal) => TaskEither<Diagnostic, Spawned>
}
