/**
 * Tokens of the auth provider `oidc` of a kubeconfig: the id-token, and a new one of its issuer when it has expired
 * (OpenID Connect Core 1.0, 12). New tokens are kept in devtool's own folder, since the kubeconfig is never written.
 */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type JsonObject, numberAt, objectAt, textAt } from '../../domain/cluster/json.ts'
import { defined } from '../../domain/object/defined.ts'
import { publicUrl } from '../../domain/text/public-url.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Home } from '../../ports/home.ts'
import { agentFor } from '../http/agent.ts'
import { readBody as readBytes } from '../http/body.ts'
import { type Env, proxyOf } from '../http/proxy.ts'
import { send } from '../http/send.ts'
import { readRegular } from '../paths/regular.ts'
import { readObject } from './api/answer.ts'
import { keep, type OidcTokens, readKept, tokensIn } from './kept-tokens.ts'
import type { PluginCredential } from './plugin.ts'

const limitBytes = 1024 * 1024
const soonMs = 10_000
/** How long renewing tokens may take, including all its requests. */
const longestMs = 30_000

export const isOidc = (user: JsonObject): boolean => textAt(user, 'auth-provider', 'name') === 'oidc'

/** `undefined` when the token has no expiry. */
const expiryOf = (token: string): number | undefined => {
  const claims = readObject(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
  const seconds = claims === undefined ? undefined : numberAt(claims, 'exp')
  return seconds === undefined ? undefined : seconds * 1000
}

/** `ended` aborts the requests. `say` reports tokens that cannot be stored. */
type OidcWorld = {
  readonly clock: Clock
  readonly env: Env
  readonly ended: () => AbortSignal
  readonly say: (text: string) => void
  readonly store: Home
}

type OidcContext = Pick<OidcWorld, 'clock' | 'env'> & { readonly ca: Buffer | undefined; readonly signal: AbortSignal }
type Question = { readonly url: URL; readonly form?: URLSearchParams; readonly authorization?: string }
type Answered = { readonly status: number; readonly json: JsonObject }

const ask = (
  { ca, clock, env, signal }: OidcContext,
  { authorization, form, url }: Question,
): TE.TaskEither<string, Answered> => {
  const body = form?.toString()
  const type = body === undefined ? undefined : 'application/x-www-form-urlencoded'
  const headers = {
    accept: 'application/json',
    'user-agent': 'devtool',
    ...defined({ authorization, 'content-type': type }),
  }
  const method = body === undefined ? 'GET' : 'POST'
  const path = url.pathname + url.search
  return pipe(
    TE.fromEither(proxyOf(url, env)),
    TE.flatMapTask((proxy) => () => agentFor(url, { clock, env, proxy }, { ca }, { keepAlive: false })),
    TE.flatMap((agent) =>
      pipe(
        send({ clock, server: url, agent, method, path, headers, body, signal }),
        TE.mapLeft(({ text }) => text),
      ),
    ),
    TE.flatMap(({ response }) =>
      pipe(
        readBytes(response, limitBytes),
        TE.map((bytes) => ({ status: response.statusCode ?? 0, json: readObject(bytes.toString()) ?? {} })),
      ),
    ),
    TE.mapLeft((why) => `${publicUrl(url.href)}: ${why}`),
  )
}

const urlIn = (text: string | undefined): URL | undefined =>
  text !== undefined && URL.canParse(text) ? new URL(text) : undefined

/** Providers accept the client secret in the header or in the body; most accept both. */
const asked = (world: OidcContext, url: URL, form: URLSearchParams, id: string, secret: string) => {
  const inBody = new URLSearchParams(form)
  inBody.set('client_id', id)
  if (secret !== '') inBody.set('client_secret', secret)
  const basic = [id, secret].map(encodeURIComponent).join(':')
  const authorization = `Basic ${Buffer.from(basic).toString('base64')}`
  return [...(secret === '' ? [] : [ask(world, { url, form, authorization })]), ask(world, { url, form: inBody })]
}

/** The tokens that the issuer gives for the refresh token. */
const refreshed =
  (world: OidcContext, config: JsonObject, refreshToken: string): TE.TaskEither<string, JsonObject> =>
  async () => {
    const issuer = (textAt(config, 'idp-issuer-url') ?? '').replace(/\/$/, '')
    const known = urlIn(`${issuer}/.well-known/openid-configuration`)
    if (known === undefined) return E.left('its idp-issuer-url is not a URL')
    const found = await ask(world, { url: known })()
    if (E.isLeft(found)) return found
    const url = urlIn(textAt(found.right.json, 'token_endpoint'))
    if (url === undefined)
      return E.left(`${publicUrl(known.href)} names no token_endpoint (status ${found.right.status})`)
    const form = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: refreshToken })
    let why = ''
    for (const next of asked(
      world,
      url,
      form,
      textAt(config, 'client-id') ?? '',
      textAt(config, 'client-secret') ?? '',
    )) {
      const answer = await next()
      if (E.isLeft(answer)) return answer
      const { json, status } = answer.right
      if (textAt(json, 'id_token') !== undefined) return E.right(json)
      why = `${publicUrl(url.href)} gave no id_token: ${status} ${textAt(json, 'error') ?? ''}`.trim()
    }
    return E.left(why)
  }

const authorityOf = (config: JsonObject): Buffer | undefined => {
  const data = textAt(config, 'idp-certificate-authority-data')
  const path = textAt(config, 'idp-certificate-authority')
  if (data !== undefined) return Buffer.from(data, 'base64')
  return path === undefined ? undefined : readRegular(path)
}

/** {@link refreshed}, aborted by the signal and after {@link longestMs}, however slowly the issuer answers. */
const inTime =
  ({ clock, ended, env }: OidcWorld, config: JsonObject, refreshToken: string): TE.TaskEither<string, JsonObject> =>
  async () => {
    const late = new AbortController()
    const cancel = clock.after(longestMs, () => late.abort())
    const over = ended()
    const signal = AbortSignal.any([over, late.signal])
    try {
      const found = await refreshed({ clock, env, ca: authorityOf(config), signal }, config, refreshToken)()
      if (E.isRight(found) || !signal.aborted) return found
      return E.left(over.aborted ? 'was interrupted' : `no complete answer within ${longestMs / 1000} s`)
    } finally {
      cancel()
    }
  }

/** Each run of this task checks the tokens once; refreshed ones are stored for later runs of the program. */
export const oidcTokens = (user: JsonObject, world: OidcWorld): TE.TaskEither<string, PluginCredential> => {
  const { clock, say, store } = world
  const config = objectAt(user, 'auth-provider', 'config')
  let tokens = tokensIn(config)
  let isStored = true
  const kept = async (): Promise<OidcTokens> => (isStored ? await readKept(config, store)() : undefined) ?? tokens
  const isFresh = (): boolean =>
    tokens.idToken !== '' && clock.wallMs() < (expiryOf(tokens.idToken) ?? Number.POSITIVE_INFINITY) - soonMs
  const credential = (): PluginCredential => ({
    token: tokens.idToken,
    ...defined({ expiresMs: expiryOf(tokens.idToken) }),
  })
  const remember = async (found: JsonObject, old: string): Promise<PluginCredential> => {
    tokens = { idToken: textAt(found, 'id_token') ?? '', refreshToken: textAt(found, 'refresh_token') ?? old }
    const written = await keep(config, tokens, store)()
    isStored = E.isRight(written)
    if (E.isLeft(written) && tokens.refreshToken !== old)
      say(`the new refresh token of OIDC cannot be kept, so the next run needs a new login: ${written.left.message}`)
    return credential()
  }
  const renew =
    (isAgain: boolean): TE.TaskEither<string, PluginCredential> =>
    async () => {
      tokens = await kept()
      if (isFresh()) return E.right(credential())
      const { refreshToken } = tokens
      if (refreshToken === undefined) return E.left('the id-token of OIDC has expired, and there is no refresh-token')
      const found = await inTime(world, config, refreshToken)()
      if (E.isRight(found)) return E.right(await remember(found.right, refreshToken))
      // Another process may have used the refresh token meanwhile, and stored its successor.
      const isSpent = (await kept()).refreshToken !== refreshToken
      return isSpent && !isAgain ? renew(true)() : E.left(`OIDC: ${found.left}`)
    }
  return async () => (isFresh() ? E.right(credential()) : renew(false)())
}
