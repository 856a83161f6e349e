/** Finds the proxy for a server, if any, from the environment. */
import { BlockList, isIP } from 'node:net'
import * as E from 'fp-ts/lib/Either.js'
import { percentDecoded } from '../../domain/text/percent.ts'
import { isExcepted } from './no-proxy.ts'
import { connectionError } from './sockets.ts'

export type Env = Readonly<Record<string, string | undefined>>

const schemes: ReadonlySet<string> = new Set([
  'http:',
  'https:',
  'socks:',
  'socks4:',
  'socks4a:',
  'socks5:',
  'socks5h:',
])

/** The URL without its password. */
export const showProxy = ({ host, protocol }: URL): string => `${protocol}//${host}`

export const credentialsOf = ({ password, username }: URL) => ({
  user: percentDecoded(username),
  password: percentDecoded(password),
})

/** The value of the header with the proxy's credentials. */
export const proxyAuthorization = (proxy: URL): string | undefined => {
  const { password, user } = credentialsOf(proxy)
  return user === '' && password === '' ? undefined : `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
}

/** Why an HTTP proxy refused a request, by the status of its response. */
export const refusalOf = (proxy: URL, status: number): Error => {
  const shown = showProxy(proxy)
  if (status === 407) {
    const why =
      proxy.username === '' ? 'requires a user name and a password' : 'did not accept the user name and password'
    return connectionError('ERR_PROXY_DENIED', `the proxy ${shown} ${why} (407)`)
  }
  return status >= 500
    ? connectionError('ERR_PROXY_FAILED', `the proxy ${shown} cannot reach the server (${status})`)
    : connectionError('ERR_PROXY_DENIED', `the proxy ${shown} refused the connection (${status})`)
}

/** An invalid URL may contain a password, too, so it is not shown. `origin`: the variable it comes from. */
export const readProxy = (origin: string, text: string): E.Either<string, URL> => {
  try {
    const url = new URL(text.includes('://') ? text : `http://${text}`)
    if (url.hostname !== '' && schemes.has(url.protocol)) return E.right(url)
    return E.left(`${origin} has an unsupported proxy type: ${url.protocol}//…; use http, https or socks5`)
  } catch {
    return E.left(`${origin} is not a valid proxy URL`)
  }
}

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

const isThisMachine = (hostname: string): boolean => {
  const host = hostname.replace(/^\[|\]$/g, '')
  return host === 'localhost' || (isIP(host) !== 0 && loopback.check(host, isIP(host) === 6 ? 'ipv6' : 'ipv4'))
}

/** A variable in capitals takes precedence over a lower-case one; an empty one is ignored. */
const variable = (env: Env, name: string): readonly [name: string, value: string] | undefined => {
  for (const one of [name, name.toLowerCase()]) {
    const value = env[one]?.trim() ?? ''
    if (value !== '') return [one, value]
  }
  return undefined
}

const usualPorts: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' }

/**
 * HTTPS_PROXY or HTTP_PROXY by the scheme of the server, else ALL_PROXY, unless NO_PROXY lists the host. Loopback
 * addresses never use a proxy. Left: the variable is invalid.
 */
export const proxyOf = (server: URL, env: Env): E.Either<string, URL | undefined> => {
  if (isThisMachine(server.hostname)) return E.right(undefined)
  const named = variable(env, server.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY') ?? variable(env, 'ALL_PROXY')
  if (named === undefined) return E.right(undefined)
  const port = server.port === '' ? (usualPorts[server.protocol] ?? '') : server.port
  const noProxy = variable(env, 'NO_PROXY')?.[1] ?? ''
  return isExcepted(noProxy, { host: server.hostname, port }) ? E.right(undefined) : readProxy(...named)
}
