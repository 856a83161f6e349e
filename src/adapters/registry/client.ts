/** The port `Registry` over HTTP (OCI Distribution Specification 1.1). */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { parseReference, type Reference, showReference } from '../../domain/build/reference.ts'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Credentials } from '../../ports/credentials.ts'
import type { Registry } from '../../ports/registry.ts'
import type { HttpClient } from '../http/client.ts'
import { type Ask, registryAsk } from './ask.ts'
import { askFor, fetchManifest, isManifestType, notTagged, putManifest, saidDigest, saidType } from './manifest.ts'
import { mountImage } from './mount.ts'
import { registryReach } from './origin.ts'
import { httpTokens } from './tokens.ts'

/** `timeoutMs`: for one response. `pauseMs`: before a retry. */
type RegistryOptions = {
  readonly clock: Clock
  readonly client: HttpClient
  readonly credentials: Credentials
  readonly timeoutMs?: number
  readonly pauseMs?: number
}

const longestMs = 10_000
const betweenMs = 400

const read = (text: string): E.Either<Diagnostic, Reference> =>
  E.mapLeft(({ message }: { readonly message: string }) =>
    error('DT4031', `"${text}" is not a valid image name: ${message}`),
  )(parseReference(text))

/**
 * Some registries do not support HEAD, others do not send the digest or the type. The response also shows whether it is
 * a registry at all.
 */
const fetchDigest = (ask: Ask, reference: Reference, signal: AbortSignal) =>
  pipe(
    fetchManifest(ask, reference, signal),
    TE.map((manifest) => manifest?.digest),
  )

const digestOf = (ask: Ask, reference: Reference, signal: AbortSignal): TE.TaskEither<Diagnostic, string | undefined> =>
  pipe(
    askFor(ask, { reference, method: 'HEAD', signal }),
    TE.flatMap((answer) => {
      if (answer.status === 404) return TE.right(undefined)
      const isManifest = answer.status === 200 && isManifestType(saidType(answer))
      const said = isManifest ? saidDigest(answer) : undefined
      return said === undefined ? fetchDigest(ask, reference, signal) : TE.right(said)
    }),
  )

const putTag = (ask: Ask, from: Reference, to: Reference, signal: AbortSignal): TE.TaskEither<Diagnostic, void> => {
  if (from.host !== to.host) return TE.left(notTagged(to, `it is not in the registry of ${showReference(from)}`))
  return pipe(
    fetchManifest(ask, from, signal),
    TE.flatMap((manifest) =>
      manifest === undefined
        ? TE.left(notTagged(to, `there is no image ${showReference(from)}`))
        : pipe(
            from.repository === to.repository ? TE.right(undefined) : mountImage(ask, { from, to, signal }, manifest),
            TE.flatMap(() => putManifest(ask, to, manifest, signal)),
          ),
    ),
  )
}

/** Finds DT4011, DT4012, DT4013, DT4016 and DT4031. */
export const httpRegistry = ({
  client,
  clock,
  credentials,
  pauseMs = betweenMs,
  timeoutMs = longestMs,
}: RegistryOptions): Registry => {
  const ask = registryAsk({
    clock,
    credentials,
    tokens: httpTokens({ client, credentials, timeoutMs }),
    reach: registryReach({ client, credentials, timeoutMs }),
    pauseMs,
  })
  return {
    digestOf: (text, signal) =>
      pipe(
        TE.fromEither(read(text)),
        TE.flatMap((reference) => digestOf(ask, reference, signal)),
      ),
    tag: (from, to, signal) =>
      pipe(
        TE.Do,
        TE.bind('source', () => TE.fromEither(read(from))),
        TE.bind('target', () => TE.fromEither(read(to))),
        TE.flatMap(({ source, target }) => putTag(ask, source, target, signal)),
      ),
  }
}
