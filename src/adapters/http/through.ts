/** Connections through a proxy: CONNECT (RFC 9110, 9.3.6) or SOCKS. Loaded only when there is one. */

import { request } from 'node:http'
import type { Socket } from 'node:net'
import type { SecureContext } from 'node:tls'
import { SocksClient } from 'socks'
import { defined } from '../../domain/object/defined.ts'
import { causeText, codeOf } from './causes.ts'
import { credentialsOf, proxyAuthorization, refusalOf, showProxy } from './proxy.ts'
import { type Address, connect, connectionError, type Limits, secure, within } from './sockets.ts'

const usualPorts: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 }

const addressOf = (proxy: URL): Address => ({
  host: proxy.hostname.replace(/^\[|\]$/g, ''),
  port: proxy.port === '' ? (usualPorts[proxy.protocol] ?? 1080) : Number(proxy.port),
})

const askToConnect = (socket: Socket, proxy: URL, { host, port }: Address): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const authority = `${host.includes(':') ? `[${host}]` : host}:${port}`
    const authorization = proxyAuthorization(proxy)
    const sent = request({
      method: 'CONNECT',
      path: authority,
      createConnection: () => socket,
      headers: {
        host: authority,
        connection: 'keep-alive',
        'user-agent': 'devtool',
        ...defined({ 'proxy-authorization': authorization }),
      },
    })
    sent.on('error', reject)
    sent.once('connect', ({ statusCode = 0 }, _socket, head: Buffer) => {
      if (statusCode < 200 || statusCode > 299) return reject(refusalOf(proxy, statusCode))
      if (head.length > 0) socket.unshift(head)
      resolve(socket)
    })
    sent.end()
  })

/** The proxy resolves names, as with kubectl for every version of SOCKS. */
const askSocks = async (socket: Socket, proxy: URL, destination: Address): Promise<void> => {
  const { host, port } = addressOf(proxy)
  const { password, user: userId } = credentialsOf(proxy)
  try {
    await SocksClient.createConnection({
      command: 'connect',
      destination,
      existing_socket: socket,
      proxy: {
        host,
        port,
        type: proxy.protocol.startsWith('socks4') ? 4 : 5,
        ...(userId === '' ? {} : { userId, password }),
      },
    })
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw connectionError('ERR_PROXY_FAILED', `the proxy ${showProxy(proxy)} cannot connect: ${why}`)
  }
}

/** An error on the way to the proxy must not look like one between the proxy and the server. */
const ofProxy = (proxy: URL, cause: unknown): unknown =>
  codeOf(cause) === 'ABORT_ERR' || codeOf(cause).startsWith('ERR_PROXY_')
    ? cause
    : connectionError('ERR_PROXY_UNREACHABLE', `the proxy ${showProxy(proxy)} cannot be reached: ${causeText(cause)}`)

type ProxyRoute = { readonly address: Address; readonly proxy: URL; readonly trust?: SecureContext | undefined }

/** Rejects with ERR_PROXY_UNREACHABLE, ERR_PROXY_DENIED, ERR_PROXY_FAILED or ABORT_ERR. */
export const dialThrough = async ({ address, proxy, trust }: ProxyRoute, limits: Limits): Promise<Socket> => {
  try {
    const plain = await connect(addressOf(proxy), limits)
    const { host } = addressOf(proxy)
    const socket =
      proxy.protocol === 'https:' ? await secure(plain, { host, ...defined({ secureContext: trust }) }, limits) : plain
    const asked = proxy.protocol.startsWith('socks')
      ? askSocks(socket, proxy, address)
      : askToConnect(socket, proxy, address)
    return await within(socket, limits, 'response', asked)
  } catch (cause) {
    throw ofProxy(proxy, cause)
  }
}
