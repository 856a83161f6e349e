/** What is wrong with a text, and where: the error type of every reader in this folder. */
import * as E from 'fp-ts/lib/Either.js'

/** `start` and `end` are offsets (UTF-16 units, end exclusive) into the given text. */
export type Fault = { readonly message: string; readonly start: number; readonly end: number }

export const fail = (message: string, start: number, end: number): E.Either<Fault, never> =>
  E.left({ message, start, end })

/** The text in quotes for a message, shortened if it is too long. */
export const quote = (text: string): string => (text.length > 60 ? `"${text.slice(0, 60)}…"` : `"${text}"`)

/** The end of the character that begins at `at`: a surrogate pair takes two units. */
export const characterEnd = (text: string, at: number): number => at + ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1)
