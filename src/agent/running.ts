/** A program in the container, with a terminal or with pipes. */
import type { Readable, Writable } from 'node:stream'
import type { ProgramExit } from '../adapters/ssh/channel.ts'

export type Size = { readonly columns: number; readonly rows: number }

/** `environment` is the whole environment of the program. */
export type ProgramRequest = {
  readonly argv: ReadonlyArray<string>
  readonly folder: string
  readonly environment: Readonly<Record<string, string>>
}

export type Running = {
  readonly stdin: Writable
  /** Both end before the exit is known; a terminal has one output. */
  readonly stdout: Readable
  readonly stderr: Readable
  readonly resize: (size: Size) => void
  /** Signals its process group; the name is without SIG. Does nothing once it has ended. */
  readonly signal: (name: string) => void
  readonly exit: Promise<ProgramExit>
}
