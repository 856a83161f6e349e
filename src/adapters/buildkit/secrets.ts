/** Serves the secrets of a build when a step asks for them: moby.buildkit.secrets.v1.Secrets. */
import * as E from 'fp-ts/lib/Either.js'
import type { BuildFailure } from '../../domain/build/failure.ts'
import type { SecretSource, Solve } from '../../domain/build/solve.ts'
import { quote } from '../../domain/text/fault.ts'
import { visible } from '../../domain/text/visible.ts'
import type { Clock } from '../../ports/clock.ts'
import { GetSecretRequest, GetSecretResponse } from './gen/buildkit.ts'
import type { CallStatus, RpcService, Unary } from './rpc/call.ts'
import { limitBytes, type ReadLimits, readSecretFile, tooLarge } from './secret-file.ts'
import { unary } from './serve/unary.ts'

const cancelled = 1
const invalid = 3
/** The builder treats an optional secret as missing only with this code. */
const notFound = 5

const longestQuietMs = 10_000

const valueOf = async (
  source: SecretSource,
  root: string | undefined,
  waiting: ReadLimits,
): Promise<E.Either<string, Uint8Array>> => {
  switch (source._tag) {
    case 'File':
      return E.mapLeft((cause: string) => `${visible(source.file)}: ${cause}`)(
        await readSecretFile(source.file, root, waiting),
      )
    case 'Value': {
      const bytes = Buffer.from(source.value, 'utf8')
      return bytes.length > limitBytes ? E.left(tooLarge) : E.right(bytes)
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
  const get: Unary = async (request, signal) => {
    const { id } = GetSecretRequest.decode(request)
    const what = `secret ${quote(visible(id))}`
    const refuse = (code: number, cause: string): E.Either<CallStatus, never> =>
      E.left({ code, message: `${what}: ${cause}` })
    const source = sources.get(id)
    if (source === undefined) return refuse(notFound, 'not found')
    const value = await valueOf(source, root, { clock, quietMs, signal })
    if (E.isLeft(value)) {
      if (signal.aborted) return refuse(cancelled, 'interrupted')
      fail({ _tag: 'Unusable', what, cause: value.left })
      return refuse(invalid, value.left)
    }
    return E.right(GetSecretResponse.encode({ data: value.right }).finish())
  }
  return new Map([['/moby.buildkit.secrets.v1.Secrets/GetSecret', unary(get)]])
}
