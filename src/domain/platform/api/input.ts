/** Checks the parts of a request by the codecs of its route. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type * as t from 'io-ts'
import { type Diagnostic, error } from '../../diagnostic/diagnostic.ts'
import type { ApiRoute, InputOf } from './route.ts'

const keyOf = ({ context }: t.ValidationError): string =>
  context.flatMap(({ key }) => (/^\d*$/.test(key) ? [] : [key])).join('.')

const invalid = (part: string, errors: t.Errors): Diagnostic => {
  const [first] = errors
  const last = first?.context.at(-1)
  if (first === undefined || last === undefined) return error('DT6005', `${part} is not valid`)
  const path = [part, keyOf(first)].filter((text) => text !== '').join('.')
  const isMissing = first.value === undefined && path !== part
  return error('DT6005', `${path} ${isMissing ? 'is missing: it ' : ''}must be ${last.type.name}`)
}

const decoded = <C extends t.Mixed>(part: string, codec: C, value: unknown): E.Either<Diagnostic, t.TypeOf<C>> =>
  pipe(
    codec.decode(value),
    E.mapLeft((errors) => invalid(part, errors)),
  )

/** The parts of a request as they arrived, unchecked. */
export type RawInput = {
  readonly params: unknown
  readonly query: unknown
  readonly headers: unknown
  readonly body: unknown
}

/** Fails with DT6005. */
export const checkInput = <R extends ApiRoute>(route: R, raw: RawInput): E.Either<Diagnostic, InputOf<R>> =>
  pipe(
    E.Do,
    E.bind('params', () => decoded('path', route.params, raw.params)),
    E.bind('query', () => decoded('query', route.query, raw.query)),
    E.bind('headers', () => decoded('header', route.headers, raw.headers)),
    E.bind('body', () => decoded('body', route.body, raw.body)),
  )
