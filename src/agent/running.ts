/** A program in the container, with a terminal or with pipes. */
import type { Readable, Writable } from 'node:stream'
import * as t from 'io-ts'
import type { ProgramExit } from '../adapters/ssh/channel.ts'
import type { Size } from '../adapters/ssh/framed.ts'

/** `environment` is the whole environment of the program. */
export const ProgramRequest = t.readonly(
  t.strict({
    argv: t.readonlyArray(t.string),
    folder: t.string,
    environment: t.readonly(t.record(t.string, t.string)),
  }),
)
export type ProgramRequest = t.TypeOf<typeof ProgramRequest>

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
