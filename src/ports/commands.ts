/** Running the commands of a manifest on this machine. */
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Diagnostic } from '../domain/diagnostic/diagnostic.ts'

/** Program: run as it is. Shell: a text for bash or, without, for the shell of the platform. */
export type CommandLine =
  | { readonly _tag: 'Program'; readonly argv: ReadonlyArray<string> }
  | { readonly _tag: 'Shell'; readonly text: string; readonly isBash: boolean }

/** What a command that writes to a terminal may take of it. */
export type TerminalSize = { readonly columns: number; readonly rows: number }

/** `env` is all of it. `terminal`: it is to believe that it writes to one. Its standard input is empty. */
export type Invocation = {
  readonly line: CommandLine
  readonly folder: string
  readonly env: ReadonlyMap<string, string>
  readonly terminal?: TerminalSize
}

/** A file for commands to write into, that nobody else may read. */
export type Scratch = {
  readonly path: string
  readonly read: () => TaskEither<Diagnostic, string>
  readonly remove: () => Promise<void>
}

export type Commands = {
  /**
   * The exit status; 128 + n when signal n ended it. Its output, both streams as one, is complete by then. With the
   * signal, or with ^C, everything it started in its process group is interrupted, and killed when that does not end it;
   * a second ^C kills at once. Fails with DT3502 (no bash) and DT3503 (it cannot be started).
   */
  readonly run: (
    invocation: Invocation,
    onOutput: (text: string) => void,
    signal: AbortSignal,
  ) => TaskEither<Diagnostic, number>
  /** Fails with DT3504. */
  readonly scratch: () => TaskEither<Diagnostic, Scratch>
}
