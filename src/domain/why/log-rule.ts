/** Rules that interpret a line of a log. */
import type { Code } from '../diagnostic/codes.ts'
import type { LogContext } from './cause.ts'

/** The meaning of a line; `message` is added to that of the cause. `program`: the file that cannot be run. */
export type LineMeaning = {
  readonly code?: Code
  readonly message: string
  readonly help: string
  readonly program?: string
}

/** `undefined`: the line has no meaning after all. */
export type LogRule = readonly [
  words: RegExp,
  read: (match: RegExpExecArray, context: LogContext) => LineMeaning | undefined,
]
