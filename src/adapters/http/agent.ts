/** HTTP agents: connections to one server, shared by requests, through a proxy if there is one. */

import { type Agent, type AgentOptions, Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { createSecureContext, type SecureContextOptions } from 'node:tls'
import { eitherFamily } from '../../domain/network/families.ts'
import { loopback } from '../../domain/network/loopback.ts'
import { defined } from '../../domain/object/defined.ts'
import type { Clock } from '../../ports/clock.ts'
import type { DialRoute } from './dial.ts'
import type { Env } from './proxy.ts'
import { ownAuthorities } from './trust.ts'

/** PEM. With `ca` only these authorities are trusted; otherwise those of Node and of the environment. */
export type TlsChoice = Pick<SecureContextOptions, 'ca' | 'cert' | 'key'> & {
  readonly servername?: string | undefined
  readonly rejectUnauthorized?: boolean | undefined
}

/** Authorities are read once per agent, not for every connection. Throws on invalid PEM. */
const tlsOptions = (env: Env, { ca, cert, key, rejectUnauthorized, servername }: TlsChoice) => ({
  // A server certificate that was confirmed once need not be an authority.
  secureContext: createSecureContext({
    ca: ca ?? ownAuthorities(env),
    cert,
    key,
    allowPartialTrustChain: ca !== undefined,
  }),
  ...defined({ rejectUnauthorized, servername }),
})

/** For requests and upgrades (`node:http`, `node:https`, `ws`) to the origin of `server`. Throws on invalid PEM. */
export const agentFor = async (
  server: URL,
  { clock, env, proxy }: DialRoute & { readonly clock: Clock },
  tls: TlsChoice,
  wanted: Pick<AgentOptions, 'keepAlive' | 'maxSockets' | 'timeout'>,
): Promise<Agent> => {
  // RFC 6761; not every system knows these names.
  const named = server.hostname.endsWith('.localhost') ? { lookup: loopback } : {}
  const options = { ...wanted, ...eitherFamily, ...named }
  const isSecure = server.protocol === 'https:'
  const own = isSecure ? tlsOptions(env, tls) : {}
  if (proxy === undefined) return isSecure ? new HttpsAgent({ ...own, ...options }) : new HttpAgent(options)
  const { ProxyAgent } = await import('./proxy-agent.ts')
  return new ProxyAgent({ clock, proxy, isSecure, tls: own, env }, options)
}
