/** Agents: the connections to one server that requests share, through the proxy that is between, if one is. */
import { type Agent, type AgentOptions, Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { createSecureContext, type SecureContextOptions } from 'node:tls'
import * as E from 'fp-ts/lib/Either.js'
import { type Env, proxyOf, readProxy } from './proxy.ts'
import { ownAuthorities } from './trust.ts'

/** PEM. With `ca` nobody else is trusted; else whom Node trusts, and the authorities of the environment. */
export type TlsChoice = Pick<SecureContextOptions, 'ca' | 'cert' | 'key'> & {
  readonly servername?: string | undefined
  readonly rejectUnauthorized?: boolean | undefined
}

/** `proxy`: a URL that goes before those of the environment, and the name of where it is from. */
export type Route = { readonly env: Env; readonly proxy?: readonly [origin: string, url: string] | undefined }

/** Left: the URL of a proxy is wrong. */
const proxyFor = (server: URL, { env, proxy }: Route): E.Either<string, URL | undefined> =>
  proxy === undefined ? proxyOf(server, env) : readProxy(...proxy)

/** Authorities are read once for an agent, not for every connection. Throws on PEM that is none. */
const tlsOptions = (env: Env, { ca, cert, key, rejectUnauthorized, servername }: TlsChoice) => ({
  secureContext: createSecureContext({ ca: ca ?? ownAuthorities(env), cert, key }),
  ...(rejectUnauthorized === undefined ? {} : { rejectUnauthorized }),
  ...(servername === undefined ? {} : { servername }),
})

/**
 * For requests and upgrades (`node:http`, `node:https`, `ws`) to the origin of `server`. A proxy is asked to CONNECT, or by
 * SOCKS. Left: the URL of a proxy is wrong. Throws on PEM that is none.
 */
export const agentFor = async (
  server: URL,
  route: Route,
  tls: TlsChoice,
  options: Pick<AgentOptions, 'keepAlive' | 'maxSockets' | 'timeout'>,
): Promise<E.Either<string, Agent>> => {
  const proxy = proxyFor(server, route)
  if (E.isLeft(proxy)) return proxy
  const isSecure = server.protocol === 'https:'
  const own = isSecure ? tlsOptions(route.env, tls) : {}
  if (proxy.right === undefined)
    return E.right(isSecure ? new HttpsAgent({ ...own, ...options }) : new HttpAgent(options))
  const { ProxyAgent } = await import('./proxy-agent.ts')
  return E.right(new ProxyAgent({ proxy: proxy.right, isSecure, tls: own, env: route.env }, options))
}
