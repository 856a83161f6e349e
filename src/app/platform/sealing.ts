/** Seals and opens the values that a login passes on. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as T from 'fp-ts/lib/Task.js'
import { type SealedKind, type SealedOf, sealed } from '../../domain/platform/login/sealed.ts'
import type { Sealing } from '../../ports/sealing.ts'

export const sealAs = <K extends SealedKind>(
  { sealing }: { readonly sealing: Sealing },
  kind: K,
  content: SealedOf<K>,
): T.Task<string> => sealing.seal(kind, { ...content }, sealed[kind].seconds)

export const openAs = <K extends SealedKind>(
  { sealing }: { readonly sealing: Sealing },
  kind: K,
  text: string | undefined,
): T.Task<SealedOf<K> | undefined> =>
  text === undefined
    ? T.of(undefined)
    : pipe(
        sealing.open(kind, text),
        T.map((content) => {
          const codec: { readonly decode: (value: unknown) => E.Either<unknown, SealedOf<K>> } = sealed[kind].codec
          return E.getOrElse((): SealedOf<K> | undefined => undefined)(codec.decode(content))
        }),
      )
