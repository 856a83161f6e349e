/** Gives the builder the secrets of a build when a step asks for them: moby.buildkit.secrets.v1.Secrets. */
import { open } from 'node:fs/promises'
import * as E from 'fp-ts/lib/Either.js'
import type { BuildFailure } from '../../domain/build/failure.ts'
import type { SecretSource, Solve } from '../../domain/build/solve.ts'
import { visible } from '../../domain/diagnostic/visible.ts'
import { quote } from '../../domain/text/fault.ts'
import type { CallStatus, Service, Unary } from './call.ts'
import { GetSecretRequest, GetSecretResponse } from './gen/buildkit.ts'
import { unary } from './serve/unary.ts'

const invalid = 3
/** What a step may go on without counts as such only with this code. */
const notFound = 5

/** The limit of BuildKit: 500 KiB. */
const limitBytes = 500 * 1024

const tooLarge = 'it is larger than 500 KiB'

const reasons: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'there is no such file'],
  ['ENOTDIR', 'there is no such file'],
  ['EACCES', 'permission denied'],
  ['EPERM', 'permission denied'],
  ['EISDIR', 'it is a folder'],
])

const causeOf = (cause: unknown): string => {
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : 'unknown error'
  return reasons.get(code) ?? code
}

/** Never more than the limit, whatever the file grows to; what is no regular file might never end. */
const readFile = async (file: string): Promise<E.Either<string, Uint8Array>> => {
  try {
    const handle = await open(file, 'r')
    try {
      const stat = await handle.stat()
      if (stat.isDirectory()) return E.left('it is a folder')
      const bytes = Buffer.alloc(limitBytes + 1)
      let length = 0
      while (length < bytes.length) {
        const { bytesRead } = await handle.read(bytes, length, bytes.length - length)
        if (bytesRead === 0) return E.right(bytes.subarray(0, length))
        length += bytesRead
      }
      return E.left(tooLarge)
    } finally {
      await handle.close()
    }
  } catch (cause) {
    return E.left(causeOf(cause))
  }
}

const valueOf = async (source: SecretSource): Promise<E.Either<string, Uint8Array>> => {
  switch (source._tag) {
    case 'File':
      return E.mapLeft((cause: string) => `${visible(source.file)}: ${cause}`)(await readFile(source.file))
    case 'Value': {
      const bytes = Buffer.from(source.value, 'utf8')
      return bytes.length > limitBytes ? E.left(tooLarge) : E.right(bytes)
    }
  }
}

/**
 * Files are read when they are asked for. A file that cannot be read is an error, and no secret that is not there; `fail`
 * hears of it before the builder does.
 */
export const secretsService = (
  secrets: Solve['secrets'],
  fail: (failure: BuildFailure) => void = () => {},
): Service => {
  const sources = new Map(secrets.map(({ id, source }) => [id, source]))
  const get: Unary = async (request) => {
    const { id } = GetSecretRequest.decode(request)
    const what = `secret ${quote(visible(id))}`
    const refuse = (code: number, cause: string): E.Either<CallStatus, never> =>
      E.left({ code, message: `${what}: ${cause}` })
    const source = sources.get(id)
    if (source === undefined) return refuse(notFound, 'not found')
    const value = await valueOf(source)
    if (E.isLeft(value)) {
      fail({ _tag: 'Unusable', what, cause: value.left })
      return refuse(invalid, value.left)
    }
    return E.right(GetSecretResponse.encode({ data: value.right }).finish())
  }
  return new Map([['/moby.buildkit.secrets.v1.Secrets/GetSecret', unary(get)]])
}
