/** Connections to a host and port, directly or through a proxy. All waits are bounded. */
import type { Socket } from 'node:net'
import { createSecureContext } from 'node:tls'
import type { Env } from './proxy.ts'
import { type Address, connect, type Limits } from './sockets.ts'
import { ownAuthorities } from './trust.ts'

/** `env`: for the authorities that a TLS proxy is checked against. */
export type DialRoute = { readonly proxy: URL | undefined; readonly env: Env }

/** Rejects with an error that has a code; problems with the proxy have codes of their own. */
export const dial = async (address: Address, { env, proxy }: DialRoute, limits: Limits): Promise<Socket> => {
  if (proxy === undefined) return connect(address, limits)
  const { dialThrough } = await import('./through.ts')
  const trust = proxy.protocol === 'https:' ? createSecureContext({ ca: ownAuthorities(env) }) : undefined
  return dialThrough({ address, proxy, trust }, limits)
}
