/** The port `Pods` with an API server whose WebSockets behave as the test defines. */
import { type WebSocket, WebSocketServer } from 'ws'
import { podsOf } from '../../../src/adapters/kube/pods/pods.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import type { Pods } from '../../../src/ports/pods.ts'
import { memoryClock } from '../../memory/clock.ts'
import { fakeApi } from './api-fake.ts'

/** `offered`: the protocols that the client offers, as in the header. */
type SocketHandler = (socket: WebSocket, path: string, offered: string) => void

export type PodsServer = {
  readonly pods: Pods
  readonly sockets: ReadonlySet<WebSocket>
  readonly close: () => Promise<void>
}

/** `protocol` is the one that the server selects. */
export const podsServer = async (
  protocol: string | undefined,
  speak: SocketHandler,
  clock: Clock = memoryClock(),
): Promise<PodsServer> => {
  const api = await fakeApi()
  const server = new WebSocketServer({ noServer: true })
  server.on('headers', (headers) => {
    if (protocol !== undefined) headers.push(`Sec-WebSocket-Protocol: ${protocol}`)
  })
  api.server.on('upgrade', (request, socket, head) => {
    // ws accepts no protocol names with a slash, on either side.
    const { 'sec-websocket-protocol': offered = '', ...headers } = request.headers
    request.headers = headers
    server.handleUpgrade(request, socket, head, (upgraded) => speak(upgraded, request.url ?? '', offered))
  })
  const close = async (): Promise<void> => {
    for (const client of server.clients) client.terminate()
    await api.close()
  }
  return { pods: podsOf({ upstream: api.upstream, clock }), sockets: server.clients, close }
}
