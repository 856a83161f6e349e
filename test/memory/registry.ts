/** The port `Registry` over a map: for tests. */
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { parseReference, type Reference, showReference } from '../../src/domain/build/reference.ts'
import { type Diagnostic, error } from '../../src/domain/diagnostic/diagnostic.ts'
import type { Registry } from '../../src/ports/registry.ts'

const read = (text: string): E.Either<Diagnostic, Reference> =>
  E.mapLeft(({ message }: { readonly message: string }) =>
    error('DT4031', `"${text}" is not a valid image name: ${message}`),
  )(parseReference(text))

/** A digest exists when any tag of its repository has it. */
const digestOf = (digests: ReadonlyMap<string, string>, reference: Reference): string | undefined => {
  const { digest, host, repository } = reference
  if (digest === undefined) return digests.get(showReference(reference))
  const tags = [...digests].filter(([name]) => name.startsWith(`${host}/${repository}:`))
  return tags.find(([, known]) => known === digest)?.[1]
}

/** `digests` by full reference (`docker.io/library/web:1.0`); contains new tags as well. */
export const memoryRegistry = (digests: Map<string, string> = new Map()): Registry => ({
  digestOf: (text) =>
    TE.fromIOEither(() => E.map((reference: Reference) => digests.get(showReference(reference)))(read(text))),
  tag: (from, to) =>
    TE.fromIOEither(() => {
      const [source, target] = [read(from), read(to)]
      if (E.isLeft(source)) return source
      if (E.isLeft(target)) return target
      const digest = digestOf(digests, source.right)
      const isSame = source.right.host === target.right.host
      if (digest === undefined || !isSame) return E.left(error('DT4011', `${to}: there is no image ${from}`))
      digests.set(showReference(target.right), digest)
      return E.right(undefined)
    }),
})
