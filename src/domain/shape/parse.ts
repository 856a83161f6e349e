/** Located text → value, using the readers of `domain/text`, with faults at the right place. */
import * as E from 'fp-ts/lib/Either.js'
import type { Checked } from '../checked.ts'
import * as C from '../checked.ts'
import type { Code } from '../diagnostic/codes.ts'
import { error } from '../diagnostic/diagnostic.ts'
import type { Fault } from '../text/fault.ts'
import { partOf } from '../yaml/interpolate.ts'
import { type Located, located } from './shape.ts'

/** Applies `read` to a located text; a fault becomes `code` at the part of the text that is wrong. */
export const parse =
  <A>(code: Code, read: (text: string) => E.Either<Fault, A>, help?: string) =>
  (written: Located<string>): Checked<Located<A>> => {
    const result = read(written.value)
    if (E.isRight(result)) return C.ok(located(result.right, written.at, written.path))
    const { message, start, end } = result.left
    const at = written.at._tag === 'Scalar' ? partOf(written.at, start, end) : written.at
    return C.fail(error(code, message, { at, path: written.path, help }))
  }

/** Looks up a word in a table; an unknown word is DT1018, with the valid words as help. */
export const choose =
  <A>(what: string, words: Readonly<Record<string, A>>) =>
  (written: Located<string>): Checked<Located<A>> => {
    const value = Object.hasOwn(words, written.value) ? words[written.value] : undefined
    if (value !== undefined) return C.ok(located(value, written.at, written.path))
    const known = Object.keys(words)
    return C.fail(
      error('DT1018', `unknown ${what} "${written.value}"`, {
        at: written.at,
        path: written.path,
        help: `use ${[known.slice(0, -1).join(', '), known.at(-1)].filter(Boolean).join(' or ')}`,
      }),
    )
  }

const absent = C.ok(undefined)

/** Applies a reader to a value that may be absent. */
export const optional = <A, B>(value: A | undefined, read: (a: A) => Checked<B>): Checked<B | undefined> =>
  value === undefined ? absent : read(value)

/** Another value at the same place. */
export const as = <A>(
  value: A,
  { at, path }: { readonly at: Located<unknown>['at']; readonly path: string },
): Located<A> => located(value, at, path)

/** A whole number within bounds; otherwise DT1018. */
export const inRange =
  (what: string, low: number, high: number) =>
  (written: Located<number>): Checked<Located<number>> => {
    const { value } = written
    if (Number.isInteger(value) && value >= low && value <= high) return C.ok(written)
    const range = high === Number.MAX_SAFE_INTEGER ? `${low} or more` : `from ${low} to ${high}`
    return C.fail(error('DT1018', `${what} must be a whole number, ${range}`, { at: written.at, path: written.path }))
  }
