/** Registry authentication: challenges (RFC 9110, 11.6.1), and the tokens that answer them. */
import * as E from 'fp-ts/lib/Either.js'
import { isObject, type Json, numberAt, textAt } from '../cluster/json.ts'
import type { RegistryCredential } from './docker-config.ts'

/** `scheme` and the parameters' names are in lower case. */
export type Challenge = { readonly scheme: string; readonly parameters: ReadonlyMap<string, string> }

/** `realm`: the URL that issues tokens. `scopes` as `repository:NAME:pull,push`. */
export type TokenRequest = {
  readonly host: string
  readonly realm: string
  readonly service: string
  readonly scopes: ReadonlyArray<string>
}

/** In seconds; `issuedAtMs` since 1970, absent when the server did not say. */
export type Token = { readonly token: string; readonly expiresInS: number; readonly issuedAtMs?: number }

const PARAMETER = /[\s,]*([!#$%&'*+.^_`|~0-9a-z-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]*))/iy
const SCHEME = /[\s,]*([!#$%&'*+.^_`|~0-9a-z-]+)(?:\s+|\s*$|\s*(?=,))/iy

/** All challenges of a header; anything after an invalid one is ignored. */
export const readChallenges = (header: string): ReadonlyArray<Challenge> => {
  const found: Array<Challenge> = []
  let offset = 0
  while (offset < header.length) {
    SCHEME.lastIndex = offset
    const scheme = SCHEME.exec(header)
    if (scheme === null) return found
    offset = SCHEME.lastIndex
    const parameters = new Map<string, string>()
    for (;;) {
      PARAMETER.lastIndex = offset
      const parameter = PARAMETER.exec(header)
      if (parameter === null) break
      const [, name = '', quoted, bare = ''] = parameter
      parameters.set(name.toLowerCase(), quoted === undefined ? bare : quoted.replace(/\\(.)/gs, '$1'))
      offset = PARAMETER.lastIndex
    }
    found.push({ scheme: (scheme[1] ?? '').toLowerCase(), parameters })
  }
  return found
}

/** The token that a challenge asks for; `scope` applies when it names none. `undefined` when no tokens are issued. */
export const tokenRequest = (host: string, { parameters }: Challenge, scope: string): TokenRequest | undefined => {
  const realm = parameters.get('realm')
  if (realm === undefined || realm === '') return undefined
  const scopes = (parameters.get('scope') ?? scope).split(' ').filter((one) => one !== '')
  return { host, realm, service: parameters.get('service') ?? '', scopes }
}

type Pairs = ReadonlyArray<readonly [name: string, value: string]>

/** The form of an OAuth 2 token request. */
export const tokenForm = (
  { scopes, service }: TokenRequest,
  clientId: string,
  { secret, username }: RegistryCredential,
): Pairs => [
  ...(scopes.length === 0 ? [] : [['scope', scopes.join(' ')] as const]),
  ['service', service],
  ['client_id', clientId],
  ...(username === ''
    ? ([
        ['grant_type', 'refresh_token'],
        ['refresh_token', secret],
      ] as const)
    : ([
        ['grant_type', 'password'],
        ['username', username],
        ['password', secret],
      ] as const)),
]

/** The query of the older protocol. */
export const tokenQuery = ({ scopes, service }: TokenRequest): Pairs => [
  ...(service === '' ? [] : [['service', service] as const]),
  ...scopes.map((scope) => ['scope', scope] as const),
]

const shortestS = 60

const parsed = (text: string): E.Either<undefined, Json> =>
  E.tryCatch(
    (): Json => JSON.parse(text),
    () => undefined,
  )

/** `moment` parses a time (RFC 3339) to milliseconds since 1970. `undefined`: the response has no token. */
export const readToken = (text: string, moment: (text: string) => number): Token | undefined => {
  const json = E.toUnion(parsed(text))
  if (!isObject(json)) return undefined
  const token = textAt(json, 'access_token') || textAt(json, 'token') || ''
  // Anything else would not be valid in a header.
  if (!/^[\x21-\x7e]+$/.test(token)) return undefined
  const seconds = Math.trunc(numberAt(json, 'expires_in') ?? 0)
  const issuedAtMs = moment(textAt(json, 'issued_at') ?? '')
  return {
    token,
    expiresInS: seconds > 0 && Number.isSafeInteger(seconds) ? seconds : shortestS,
    ...(issuedAtMs > 0 ? { issuedAtMs } : {}),
  }
}

/** When to fetch a new one: before the last tenth of its lifetime. */
export const endOf = ({ expiresInS, issuedAtMs }: Token, nowMs: number): number =>
  (issuedAtMs ?? nowMs) + expiresInS * 900
