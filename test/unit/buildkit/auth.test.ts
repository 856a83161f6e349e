/** Registries in the name of the user: what the builder is told, and what it is not. */
import { createPublicKey, verify } from 'node:crypto'
import {
  create,
  type DescMessage,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from '@bufbuild/protobuf'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { authService } from '../../../src/adapters/buildkit/auth.ts'
import type { CallStatus } from '../../../src/adapters/buildkit/rpc/call.ts'
import { httpClient } from '../../../src/adapters/http/client.ts'
import { httpTokens } from '../../../src/adapters/registry/tokens.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import type { RegistryCredential, TokenFailure, Tokens } from '../../../src/ports/credentials.ts'
import {
  CredentialsRequestSchema,
  CredentialsResponseSchema,
  FetchTokenRequestSchema,
  FetchTokenResponseSchema,
  GetTokenAuthorityRequestSchema,
  GetTokenAuthorityResponseSchema,
  VerifyTokenAuthorityRequestSchema,
  VerifyTokenAuthorityResponseSchema,
} from '../../support/build/gen/buildkit_pb.ts'
import { callService } from '../../support/build/session-call.ts'
import { account, givenToken, registryFake, secrets } from '../../support/registry/fake.ts'

const login: RegistryCredential = { username: account.username, secret: account.password }
const known = 'registry.example.com'
const credentials = { of: async (host: string) => (host === known ? login : undefined) }
const noTokens: Tokens = { fetch: () => TE.left({ _tag: 'Unusable', cause: 'not asked for' }) }

type Answered<D extends DescMessage> = {
  readonly answer: MessageShape<D> | undefined
  readonly status: CallStatus | undefined
  readonly text: string
}

const ask = async <Q extends DescMessage, A extends DescMessage>(
  method: string,
  [question, body]: readonly [Q, MessageInitShape<Q>],
  schema: A,
  service = authService(credentials, noTokens),
): Promise<Answered<A>> => {
  const request = toBinary(question, create(question, body))
  const { answers, status } = await callService(service, `/moby.filesync.v1.Auth/${method}`, [request])
  const [answer] = answers
  const text = `${JSON.stringify(status)} ${answers.map((bytes) => Buffer.from(bytes).toString('latin1')).join(' ')}`
  return { answer: answer === undefined ? undefined : fromBinary(schema, answer), status, text }
}

test('the credentials of a host are sent, or none', async () => {
  const of = async (host: string): Promise<ReadonlyArray<string | undefined>> => {
    const { answer } = await ask('Credentials', [CredentialsRequestSchema, { host }], CredentialsResponseSchema)
    return [answer?.username, answer?.secret]
  }
  assert.equal(await of(known), [login.username, login.secret])
  assert.equal(await of('other.example.com'), ['', ''])
})

const publicKey = async (host: string, salt: Uint8Array): Promise<Uint8Array> => {
  const question = [GetTokenAuthorityRequestSchema, { host, salt }] as const
  const { answer } = await ask('GetTokenAuthority', question, GetTokenAuthorityResponseSchema)
  return answer?.publicKey ?? new Uint8Array()
}

test('the authority signs what its public key verifies', async () => {
  const [salt, payload] = [Buffer.from('salt'), Buffer.from('payload of the builder')]
  const key = await publicKey(known, salt)
  assert.is(key.length, 32)
  const question = [VerifyTokenAuthorityRequestSchema, { host: known, salt, payload }] as const
  const { answer } = await ask('VerifyTokenAuthority', question, VerifyTokenAuthorityResponseSchema)
  const signed = Buffer.from(answer?.signed ?? [])
  assert.equal(signed.subarray(64), payload)
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(key).toString('base64url') }
  assert.ok(verify(null, payload, createPublicKey({ key: jwk, format: 'jwk' }), signed.subarray(0, 64)))
})

test('with credentials the key depends on a secret, without them only on the salt', async () => {
  const hex = async (host: string, salt: string): Promise<string> =>
    Buffer.from(await publicKey(host, Buffer.from(salt))).toString('hex')
  assert.is(await hex(known, 'a'), await hex(known, 'a'))
  assert.is.not(await hex(known, 'a'), await hex(known, 'b'))
  assert.is.not(await hex(known, 'a'), await hex('other.example.com', 'a'))
  // What Go makes of the same salt.
  assert.is(await hex('other.example.com', 'salt'), 'a7878eff9d42de4f00cb8529dd435d19412c60bc1526483e7c5c3e6325d7ab26')
})

type TokenQuestion = readonly [typeof FetchTokenRequestSchema, MessageInitShape<typeof FetchTokenRequestSchema>]

const tokenQuestion = (realm: string): TokenQuestion => {
  const asked = { host: known, realm, service: 's', scopes: ['repository:app:pull'], clientId: 'buildkit' }
  return [FetchTokenRequestSchema, asked]
}

for (const [expiresInS, wanted] of [
  [undefined, 60n],
  [300, 300n],
] as const) {
  test(`a token is fetched without sending the password to the builder (${wanted} s)`, async () => {
    const fake = await registryFake(expiresInS === undefined ? {} : { expiresInS })
    const service = authService(credentials, httpTokens({ client: httpClient({}, systemClock), credentials }))
    const question = tokenQuestion(`http://${fake.host}/token`)
    const { answer, status, text } = await ask('FetchToken', question, FetchTokenResponseSchema, service)
    assert.is(status, undefined)
    assert.equal([answer?.token, answer?.expiresIn], [givenToken, wanted])
    assert.is((answer?.issuedAt ?? 0n) > 0n, expiresInS !== undefined)
    for (const secret of secrets) assert.not.match(text, secret)
    await fake.end()
  })
}

test('a wrong password is reported without the password', async () => {
  const fake = await registryFake()
  const wrong = { of: async () => ({ username: 'me', secret: 'Wr0ng-Secret' }) }
  const service = authService(wrong, httpTokens({ client: httpClient({}, systemClock), credentials: wrong }))
  const question = tokenQuestion(`http://${fake.host}/token`)
  const { status, text } = await ask('FetchToken', question, FetchTokenResponseSchema, service)
  assert.is(status?.code, 7)
  assert.not.match(text, 'Wr0ng')
  await fake.end()
})

const codes: ReadonlyArray<readonly [TokenFailure['_tag'], number]> = [
  ['Denied', 7],
  ['Unreachable', 14],
  ['Unusable', 13],
  ['Aborted', 1],
]
for (const [tag, code] of codes) {
  test(`${tag} is status ${code}`, async () => {
    const service = authService(credentials, { fetch: () => TE.left({ _tag: tag, cause: 'the cause' }) })
    const { status } = await ask('FetchToken', tokenQuestion('x'), FetchTokenResponseSchema, service)
    assert.is(status?.code, code)
    assert.match(status?.message ?? '', /^registry registry\.example\.com: .*the cause$/)
  })
}

test.run()
