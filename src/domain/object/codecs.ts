/** Codecs of JSON that other programs wrote. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'

/** A codec that only accepts or rejects. */
export const accepting = <A>(name: string, is: t.Is<A>): t.Type<A> =>
  new t.Type<A>(name, is, (input, context) => (is(input) ? t.success(input) : t.failure(input, context)), t.identity)

export const textUpTo = (most: number, accepts = (_text: string): boolean => true): t.Type<string> =>
  accepting(
    `a text of at most ${most} characters`,
    (input): input is string => typeof input === 'string' && input.length <= most && accepts(input),
  )

export const Count = accepting(
  'a whole number from 0',
  (input): input is number => typeof input === 'number' && Number.isSafeInteger(input) && input >= 0,
)

/** The value in a JSON text; `undefined` when the text is not JSON, or the codec rejects it. */
export const fromJson = <A>(codec: t.Decoder<unknown, A>, text: string): A | undefined =>
  pipe(
    E.tryCatch((): unknown => JSON.parse(text), String),
    E.flatMap(codec.decode),
    E.match(
      () => undefined,
      (value) => value,
    ),
  )
