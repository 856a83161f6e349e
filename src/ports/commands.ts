/** Runs the commands of a manifest on this machine. */
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Diagnostic } from '../domain/diagnostic/diagnostic.ts'

/** Program: run directly. Shell: a script for bash or, without `bash`, for the platform's shell. */
export type CommandLine =
  | { readonly _tag: 'Program'; readonly argv: ReadonlyArray<string> }
  | { readonly _tag: 'Shell'; readonly text: string; readonly isBash: boolean }

/** The size of the terminal that a command may use. */
export type TerminalSize = { readonly columns: number; readonly rows: number }

/**
 * `env` is the whole environment. `terminal`: the command should believe that it writes to one. Its standard input is
 * empty.
 */
export type Invocation = {
  readonly line: CommandLine
  readonly folder: string
  readonly env: ReadonlyMap<string, string>
  readonly terminal?: TerminalSize
}

/** A private file for commands to write to. */
export type Scratch = {
  readonly path: string
  readonly read: () => TaskEither<Diagnostic, string>
  readonly remove: () => Promise<void>
}

export type Commands = {
  /**
   * The exit status; 128 + n when signal n ended it. All its output, with both streams joined, has been reported by
   * then. With the signal, or on Ctrl-C, everything in its process group is interrupted, and killed if it does not
   * exit; a second Ctrl-C kills at once. Fails with DT3502 (no bash) and DT3503 (it cannot be started).
   */
  readonly run: (
    invocation: Invocation,
    onOutput: (text: string) => void,
    signal: AbortSignal,
  ) => TaskEither<Diagnostic, number>
  /** Fails with DT3504. */
  readonly scratch: () => TaskEither<Diagnostic, Scratch>
}
