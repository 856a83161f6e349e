import * as E from 'fp-ts/lib/Either.js'

/** The failures among several results, like `lefts` of fp-ts, whose module for arrays takes long to load. */
export const leftsOf = <L>(results: ReadonlyArray<E.Either<L, unknown>>): ReadonlyArray<L> =>
  results.flatMap((result) => (E.isLeft(result) ? [result.left] : []))
