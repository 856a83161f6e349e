/** A client of the labelling proxy, in front of a fake API server. */
import { readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { Agent, request as requestHttps } from 'node:https'
import type { Duplex } from 'node:stream'
import { text } from 'node:stream/consumers'
import { startProxy } from '../../../src/adapters/kube/proxy/proxy.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import type { LabellingProxy } from '../../../src/ports/cluster.ts'
import { type FakeApi, type FakeHandler, fakeApi } from './api-fake.ts'

type Ask = {
  readonly method?: string
  readonly headers?: Record<string, string | Array<string>>
  readonly body?: string | Buffer
  readonly token?: string
}
type ProxiedReply = {
  readonly status: number
  readonly body: string
  readonly headers: IncomingMessage['headersDistinct']
}

type Client = {
  readonly api: FakeApi
  readonly proxy: LabellingProxy
  readonly open: (path: string, ask?: Ask) => Promise<IncomingMessage>
  readonly upgrade: (
    path: string,
    protocol: string,
  ) => Promise<{ status: number; socket: Duplex | undefined; body: string }>
  readonly ask: (path: string, ask?: Ask) => Promise<ProxiedReply>
}

/** The parts of the proxy's kubeconfig that a client uses. */
export const configOf = (path: string) => {
  const config = JSON.parse(readFileSync(path, 'utf8'))
  const { cluster } = config.clusters[0]
  const ca = Buffer.from(cluster['certificate-authority-data'], 'base64').toString()
  return { server: new URL(cluster.server), ca, token: String(config.users[0].user.token), config }
}

export const withProxy = async (use: (client: Client) => Promise<void>, special?: FakeHandler): Promise<void> => {
  const api = await fakeApi(special)
  const proxy = await startProxy(api.upstream, { context: 'kind', namespace: 'demo', environment: 'shop' }, systemClock)
  const { ca, server, token } = configOf(proxy.kubeconfig)
  const agent = new Agent({ ca, keepAlive: true, maxSockets: 4 })
  const sent = (path: string, { body, headers, method = 'GET', ...rest }: Ask) => {
    const authorization = `Bearer ${rest.token ?? token}`
    const isFramed = body === undefined || headers?.['transfer-encoding'] !== undefined
    const length = isFramed ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const request = requestHttps({
      host: server.hostname,
      port: server.port,
      path,
      method,
      agent,
      headers: { ...headers, ...length, authorization },
    })
    request.end(body)
    return request
  }
  const open: Client['open'] = (path, ask = {}) =>
    new Promise((resolve, reject) => void sent(path, ask).on('response', resolve).on('error', reject))
  const ask: Client['ask'] = async (path, how) => {
    const response = await open(path, how)
    return { status: response.statusCode ?? 0, body: await text(response), headers: response.headersDistinct }
  }
  const upgrade: Client['upgrade'] = (path, protocol) =>
    new Promise((resolve, reject) => {
      const request = sent(path, { headers: { connection: 'Upgrade', upgrade: protocol } })
      request.on('upgrade', (response, socket) => resolve({ status: response.statusCode ?? 0, socket, body: '' }))
      request.on('response', (response) => {
        text(response).then((body) => resolve({ status: response.statusCode ?? 0, socket: undefined, body }), reject)
      })
      request.on('error', reject)
    })
  try {
    await use({ api, proxy, open, ask, upgrade })
  } finally {
    agent.destroy()
    await proxy.close()
    await api.close()
  }
}

export const maps = '/api/v1/namespaces/demo/configmaps'
export const json = { 'content-type': 'application/json' }
export const apply = { 'content-type': 'application/apply-patch+yaml' }
export const map = (name: string, more: object = {}): string =>
  JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...more } })
