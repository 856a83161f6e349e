/** The console of a command without a terminal, for other processes of this user. */
import type { Task } from 'fp-ts/lib/Task.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Console } from './console.ts'
import type { LinkedProgram } from './link.ts'

/** `close`: the command has ended, with this exit status unless its connection failed. */
export type SharedConsole = {
  readonly console: Console
  readonly close: (status?: number) => Promise<void>
}

/** `close` leaves it. */
export type AttachedConsole = { readonly program: LinkedProgram; readonly close: () => void }

export type SharedConsoles = {
  /**
   * Lets processes of this user see a console and type into it, at an absolute path, the latest of them at a time.
   * Left: why that is not possible.
   */
  readonly share: (path: string, console: Console) => TaskEither<string, SharedConsole>
  /** The console that is shared at this path, with the last part of its output; `undefined` when there is none. */
  readonly attach: (path: string) => Task<AttachedConsole | undefined>
}
