/** Serves the secrets of a build when a step asks for them: moby.buildkit.secrets.v1.Secrets. */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { BuildFailure } from '../../domain/build/failure.ts'
import type { SecretSource, Solve } from '../../domain/build/solve.ts'
import { quote } from '../../domain/text/fault.ts'
import { visible } from '../../domain/text/visible.ts'
import type { Clock } from '../../ports/clock.ts'
import { GetSecretRequest, GetSecretResponse } from './gen/buildkit.ts'
import type { CallStatus, RpcService, Unary } from './rpc/call.ts'
import { readMessage } from './rpc/unreadable.ts'
import { limitBytes, type ReadLimits, readSecretFile, tooLarge } from './secret-file.ts'
import { unary } from './serve/unary.ts'

const cancelled = 1
const invalid = 3
/** The builder treats an optional secret as missing only with this code. */
const notFound = 5

const longestQuietMs = 10_000

const valueOf = (
  source: SecretSource,
  root: string | undefined,
  waiting: ReadLimits,
): TE.TaskEither<string, Uint8Array> => {
  switch (source._tag) {
    case 'File':
      return TE.mapLeft((cause: string) => `${visible(source.file)}: ${cause}`)(
        readSecretFile(source.file, root, waiting),
      )
    case 'Value': {
      const bytes = Buffer.from(source.value, 'utf8')
      return bytes.length > limitBytes ? TE.left(tooLarge) : TE.right(bytes)
    }
  }
}

/**
 * Files are read on demand. One that cannot be read is an error, not a missing secret; `fail` is called before the
 * builder is told. `quietMs`: how long to wait for a pipe.
 */
export const secretsService = (
  { root, secrets }: Pick<Solve, 'secrets' | 'root'>,
  clock: Clock,
  fail: (failure: BuildFailure) => void = () => {},
  quietMs = longestQuietMs,
): RpcService => {
  const sources = new Map(secrets.map(({ id, source }) => [id, source]))
  const get: Unary = (request, signal) => {
    const { id } = readMessage(GetSecretRequest, request)
    const what = `secret ${quote(visible(id))}`
    const refusal = (code: number, cause: string): CallStatus => ({ code, message: `${what}: ${cause}` })
    const source = sources.get(id)
    if (source === undefined) return TE.left(refusal(notFound, 'not found'))
    return pipe(
      valueOf(source, root, { clock, quietMs, signal }),
      TE.map((data) => GetSecretResponse.encode({ data }).finish()),
      TE.mapLeft((cause) => {
        if (signal.aborted) return refusal(cancelled, 'interrupted')
        fail({ _tag: 'Unusable', what, cause })
        return refusal(invalid, cause)
      }),
    )
  }
  return new Map([['/moby.buildkit.secrets.v1.Secrets/GetSecret', unary(get)]])
}
