/** Rules that tell what a line of a log means. */
import type { Code } from '../diagnostic/codes.ts'
import type { LogContext } from './cause.ts'

/** What a line says: `message` is added to that of the cause. */
export type LineMeaning = {
  readonly code?: Code
  readonly message: string
  readonly help: string
}

/** `undefined`: the line says nothing after all. */
export type LogRule = readonly [
  words: RegExp,
  read: (match: RegExpExecArray, context: LogContext) => LineMeaning | undefined,
]
