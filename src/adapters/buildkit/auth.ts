/**
 * Lets the builder use registries with the user's credentials: the session service moby.filesync.v1.Auth. Tokens are
 * fetched here when a registry wants them, so that passwords stay on this machine.
 */
import { createHmac, createPrivateKey, createPublicKey, type KeyObject, randomBytes, sign } from 'node:crypto'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Token } from '../../domain/build/token.ts'
import { visible } from '../../domain/text/visible.ts'
import type { Credentials, RegistryCredential, TokenFailure, Tokens } from '../../ports/credentials.ts'
import {
  CredentialsRequest,
  CredentialsResponse,
  FetchTokenRequest,
  FetchTokenResponse,
  GetTokenAuthorityRequest,
  GetTokenAuthorityResponse,
  VerifyTokenAuthorityRequest,
  VerifyTokenAuthorityResponse,
} from './gen/buildkit.ts'
import type { CallStatus, RpcService, Unary } from './rpc/call.ts'
import { readMessage } from './rpc/unreadable.ts'
import { unary } from './serve/unary.ts'

const permissionDenied = 7
const internal = 13
const unavailable = 14
const cancelled = 1

/** The prefix of the 32 bytes of an Ed25519 key (RFC 8410). */
const keyPrefix = Buffer.from('302e020100300506032b657004220420', 'hex')

const keyOf = (seed: Uint8Array): KeyObject =>
  createPrivateKey({ key: Buffer.concat([keyPrefix, seed]), format: 'der', type: 'pkcs8' })

/** The raw key: the last bytes of its encoding. */
const publicPart = (key: KeyObject): Uint8Array =>
  createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32)

const hasSecret = (credential: RegistryCredential | undefined): boolean =>
  credential !== undefined && (credential.secret !== '' || credential.registryToken !== undefined)

const codes: Readonly<Record<TokenFailure['_tag'], number>> = {
  Denied: permissionDenied,
  Unreachable: unavailable,
  Aborted: cancelled,
  Unusable: internal,
}

/** The builder repeats this message literally, and users see it. */
const statusOf = (host: string, { _tag, cause }: TokenFailure): CallStatus => {
  const what = _tag === 'Denied' ? 'denied: the credentials of the Docker configuration are not accepted: ' : ''
  return { code: codes[_tag], message: `registry ${visible(host)}: ${what}${cause}` }
}

const tokenAnswer = ({ expiresInS, issuedAtMs, token }: Token): Uint8Array =>
  FetchTokenResponse.encode({
    token,
    expiresIn: BigInt(expiresInS),
    issuedAt: issuedAtMs === undefined ? 0n : BigInt(Math.floor(issuedAtMs / 1000)),
  }).finish()

/** The seed lives only in this process, so the salt alone does not reveal the key. */
const processSeed = randomBytes(32)

/** Without credentials the key has no seed, so that builders can share what is public anyway. */
const authorityOf = async (credentials: Credentials, host: string, salt: Uint8Array): Promise<KeyObject> => {
  const code = createHmac('sha256', salt)
  if (hasSecret(await credentials.of(host))) code.update(processSeed)
  return keyOf(code.digest())
}

/** `tokens` is asked with the challenge that the builder passes on from a registry. */
export const authService = (credentials: Credentials, tokens: Tokens): RpcService => {
  const give: Unary = (request) => async () => {
    const { host } = readMessage(CredentialsRequest, request)
    const { secret = '', username = '' } = (await credentials.of(host)) ?? {}
    return E.right(CredentialsResponse.encode({ username, secret }).finish())
  }
  const fetchToken: Unary = (request, signal) => {
    const { host, realm, scopes, service } = readMessage(FetchTokenRequest, request)
    return pipe(
      tokens.fetch({ host, realm, scopes, service }, signal),
      TE.bimap((failure) => statusOf(host, failure), tokenAnswer),
    )
  }
  const authority: Unary = (request) => async () => {
    const { host, salt } = readMessage(GetTokenAuthorityRequest, request)
    const publicKey = publicPart(await authorityOf(credentials, host, salt))
    return E.right(GetTokenAuthorityResponse.encode({ publicKey }).finish())
  }
  const verify: Unary = (request) => async () => {
    const { host, payload, salt } = readMessage(VerifyTokenAuthorityRequest, request)
    const signature = sign(null, payload, await authorityOf(credentials, host, salt))
    return E.right(VerifyTokenAuthorityResponse.encode({ signed: Buffer.concat([signature, payload]) }).finish())
  }
  return new Map([
    ['/moby.filesync.v1.Auth/Credentials', unary(give)],
    ['/moby.filesync.v1.Auth/FetchToken', unary(fetchToken)],
    ['/moby.filesync.v1.Auth/GetTokenAuthority', unary(authority)],
    ['/moby.filesync.v1.Auth/VerifyTokenAuthority', unary(verify)],
  ])
}
