/**
 * Credentials of one kubeconfig context, and the connections made with them. They are renewed before they expire and
 * when the server rejects them; concurrent requests share one renewal.
 */

import type { Agent } from 'node:http'
import type { RequestOptions } from 'node:https'
import { KubeConfig } from '@kubernetes/client-node/dist/config.js'
import { newClusters, newUsers } from '@kubernetes/client-node/dist/config_types.js'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { at, type JsonObject, listAt, objectAt, textAt } from '../../domain/cluster/json.ts'
import { defined, ifDefined } from '../../domain/object/defined.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Home } from '../../ports/home.ts'
import { agentFor, type TlsChoice } from '../http/agent.ts'
import { proxyOf, readProxy } from '../http/proxy.ts'
import { readRegular } from '../paths/regular.ts'
import type { Access, Grant } from './api/transport.ts'
import { isOidc, oidcTokens } from './oidc.ts'
import { type PluginCredential, runPlugin } from './plugin.ts'

/** One context with everything it refers to; paths are absolute. `file`: the kubeconfig given by the user. */
export type ClusterAccess = {
  readonly server: URL
  readonly cluster: JsonObject
  readonly user: JsonObject
  readonly file: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly isTerminal: boolean
  readonly interruption?: (() => AbortSignal) | undefined
  readonly say: (text: string) => void
  readonly store: Home
  /** Instead of the credentials in `user`. */
  readonly credentials?: ((ended: AbortSignal) => TE.TaskEither<string, PluginCredential>) | undefined
}

/** `untilMs` on the wall clock: from then on the credentials are requested again. */
type Granted = { readonly grant: Grant; readonly tls: string; readonly untilMs: number }

const mostConnections = 16
/** Shorter than the idle timeouts of servers and load balancers. */
const unusedMs = 45_000
const soonMs = 10_000
/** How long credentials without an expiry are used: their files and providers may change. */
const sometimesMs = 60_000

/** Differences between the KubeConfig class and kubectl are settled before it sees the values. */
const configOf = ({ cluster, server, user }: ClusterAccess, credential: PluginCredential): KubeConfig => {
  const { 'certificate-authority': file, 'proxy-url': _proxy, ...withoutFile } = cluster
  const { exec: _exec, tokenFile: _file, token, 'auth-provider': provider, ...rest } = user
  const isPlain = server.protocol === 'http:'
  const base64 = (text: string): string => Buffer.from(text).toString('base64')
  const obtained = {
    ...(credential.token === undefined ? { token } : { token: credential.token }),
    ...defined({
      'client-certificate-data': ifDefined(credential.cert, base64),
      'client-key-data': ifDefined(credential.key, base64),
    }),
  }
  const name = 'one'
  const authority = textAt(cluster, 'certificate-authority-data') === undefined ? file : undefined
  const reached = {
    ...withoutFile,
    ...defined({ 'certificate-authority': authority }),
    ...(isPlain ? { 'insecure-skip-tls-verify': true } : {}),
  }
  const known = { ...rest, ...(isOidc(user) ? {} : defined({ 'auth-provider': provider })), ...obtained }
  const config = new KubeConfig()
  config.loadFromOptions({
    currentContext: name,
    contexts: [{ name, cluster: name, user: name }],
    clusters: newClusters([{ name, cluster: reached }]),
    users: newUsers([{ name, user: known }]),
  })
  return config
}

/** `ended`: requested only when credentials have to be waited for. */
const credentialOf = (
  { cluster, credentials, env, file, isTerminal, say, store, user }: ClusterAccess,
  clock: Clock,
  ended: () => AbortSignal,
): TE.TaskEither<string, PluginCredential> => {
  if (credentials !== undefined) return () => credentials(ended())()
  if (isOidc(user)) return oidcTokens(user, { env, clock, ended, say, store })
  const exec = at(user, 'exec')
  if (exec !== undefined && exec !== null)
    return runPlugin({ exec: objectAt(user, 'exec'), file, cluster, env, interruption: ended, isTerminal }, clock)
  const path = textAt(user, 'tokenFile')
  return TE.fromIO(() => (path === undefined ? {} : { token: readRegular(path).toString().trim() }))
}

/** Impersonation: KubeConfig supports only the user name. */
const impersonation = (user: JsonObject): Grant['headers'] => {
  const groups = listAt(user, 'as-groups').filter((group) => typeof group === 'string')
  const uid = textAt(user, 'as-uid')
  return {
    ...(groups.length === 0 ? {} : { 'impersonate-group': groups }),
    ...defined({ 'impersonate-uid': uid }),
  }
}

const headersOf = ({ auth, headers }: RequestOptions, user: JsonObject): Grant['headers'] => {
  const listed = headers === undefined || Array.isArray(headers) ? {} : headers
  const given = Object.entries(listed).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name.toLowerCase(), value] as const] : [],
  )
  const basic = typeof auth === 'string' ? { authorization: `Basic ${Buffer.from(auth).toString('base64')}` } : {}
  return { ...basic, ...Object.fromEntries(given), ...impersonation(user) }
}

const tlsOf = ({ ca, cert, key, rejectUnauthorized, servername }: RequestOptions): TlsChoice => ({
  ca,
  cert,
  key,
  rejectUnauthorized,
  servername,
})

const proxyFor = ({ cluster, env, server }: ClusterAccess): E.Either<string, URL | undefined> => {
  const url = textAt(cluster, 'proxy-url') ?? ''
  return url === '' ? proxyOf(server, env) : readProxy('proxy-url of the kubeconfig', url)
}

const untilMsOf = ({ user }: ClusterAccess, { expiresMs }: PluginCredential, now: number): number => {
  if (expiresMs !== undefined) return Math.max(expiresMs - soonMs, now + 1000)
  const canChange = textAt(user, 'tokenFile') !== undefined || at(user, 'auth-provider') !== undefined
  return canChange ? now + sometimesMs : Number.POSITIVE_INFINITY
}

type Credentials = TE.TaskEither<string, PluginCredential>

const obtain =
  (
    target: ClusterAccess,
    credentials: Credentials,
    old: Granted | undefined,
    clock: Clock,
  ): TE.TaskEither<string, Granted> =>
  async () => {
    const credential = await credentials()
    if (E.isLeft(credential)) return credential
    const config = configOf(target, credential.right)
    const options: RequestOptions = {}
    await config.applyToHTTPSOptions(options)
    const tls = tlsOf(options)
    const untilMs = untilMsOf(target, credential.right, clock.wallMs())
    const [headers, sameTls] = [headersOf(options, target.user), JSON.stringify(tls)]
    if (old?.tls === sameTls) {
      const isSame = JSON.stringify(old.grant.headers) === JSON.stringify(headers)
      return E.right({ grant: isSame ? old.grant : { ...old.grant, headers }, tls: sameTls, untilMs })
    }
    const proxy = proxyFor(target)
    if (E.isLeft(proxy)) return proxy
    const way = { clock, env: target.env, proxy: proxy.right }
    const kept = { keepAlive: true, maxSockets: mostConnections, timeout: unusedMs }
    const requests = await agentFor(target.server, way, tls, kept)
    // Not kept alive: each connection lasts as long as its stream.
    const streams = await agentFor(target.server, way, tls, { keepAlive: false })
    return E.right({ grant: { headers, requests, streams }, tls: sameTls, untilMs })
  }

/** Any exception of the library about a kubeconfig is about its credentials. */
const tryToObtain = (...about: Parameters<typeof obtain>): TE.TaskEither<string, Granted> =>
  pipe(
    TE.tryCatch(obtain(...about), (cause) => (cause instanceof Error ? cause.message : String(cause))),
    TE.flatMapEither((obtained) => obtained),
  )

/** Requests no credentials before they are needed. */
export const accessOf = (target: ClusterAccess, clock: Clock): Access => {
  let now: Granted | undefined
  let pending: ReturnType<TE.TaskEither<string, Granted>> | undefined
  const made: Array<Agent> = []
  const closed = new AbortController()
  const { interruption } = target
  const ended = (): AbortSignal =>
    interruption === undefined ? closed.signal : AbortSignal.any([interruption(), closed.signal])
  const credentials = credentialOf(target, clock, ended)

  const obtained: TE.TaskEither<string, Granted> = () => {
    pending ??= tryToObtain(target, credentials, now, clock)().finally(() => {
      pending = undefined
    })
    return pending
  }
  const renewed: TE.TaskEither<string, Grant> = pipe(
    obtained,
    TE.map((next) => {
      if (next.grant.requests !== now?.grant.requests) made.push(next.grant.requests, next.grant.streams)
      now = next
      return next.grant
    }),
  )

  return {
    clock,
    server: target.server,
    grant: async () => (now !== undefined && clock.wallMs() < now.untilMs ? E.right(now.grant) : renewed()),
    renew: (rejected) => (now !== undefined && now.grant !== rejected ? TE.right(now.grant) : renewed),
    close: () => {
      closed.abort()
      for (const agent of made) agent.destroy()
    },
  }
}
