/** Connections to a host and a port: as they are, or through a proxy. Every wait is bounded. */
import type { Socket } from 'node:net'
import { createSecureContext } from 'node:tls'
import type { Env } from './proxy.ts'
import { type Address, connect, type Limits } from './sockets.ts'
import { ownAuthorities } from './trust.ts'

/** `env`: says which authorities a proxy with TLS may have. */
export type DialRoute = { readonly proxy: URL | undefined; readonly env: Env }

/** Rejects with an error that has a code; what is wrong with the proxy has one of its own. */
export const dial = async (address: Address, { env, proxy }: DialRoute, limits: Limits): Promise<Socket> => {
  if (proxy === undefined) return connect(address, limits)
  const { dialThrough } = await import('./through.ts')
  const trust = proxy.protocol === 'https:' ? createSecureContext({ ca: ownAuthorities(env) }) : undefined
  return dialThrough({ address, proxy, trust }, limits)
}
