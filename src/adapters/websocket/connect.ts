/** Opens WebSockets whose messages are channels. Loaded on demand. */
import { setMaxListeners } from 'node:events'
import type { Agent, IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { WebSocket } from 'ws'
import type { Clock } from '../../ports/clock.ts'
import { linkOf, type WebSocketLink } from './link.ts'

/** `agent` makes the connection, with its proxy and certificates. */
export type WebSocketRequest = {
  readonly url: URL
  readonly protocols: ReadonlyArray<string>
  readonly headers: OutgoingHttpHeaders
  readonly agent: Agent
  readonly signal: AbortSignal
}

/** `Answered`: the server's response when it did not upgrade. */
export type OpenedSocket =
  | { readonly _tag: 'Linked'; readonly link: WebSocketLink }
  | { readonly _tag: 'Answered'; readonly response: IncomingMessage }

const handshakeMs = 30_000
/** Servers send what they read at once, some 10 KiB. */
const largestPayload = 16 * 1024 * 1024

/**
 * Masking protects against proxies that misinterpret what a web page sends. With TLS no proxy can read it, and masking
 * would be most of the CPU time.
 */
const unmasked = (mask: Buffer): void => void mask.fill(0)

/** The link ends with the signal. Left: the connection error. */
export const openLink =
  ({ agent, headers, protocols, signal, url }: WebSocketRequest, clock: Clock): TE.TaskEither<unknown, OpenedSocket> =>
  () =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve(E.left(signal.reason))
      // Many links may end with one signal, which is no leak.
      setMaxListeners(0, signal)
      const socket = new WebSocket(url, {
        agent,
        headers: { ...headers, 'sec-websocket-protocol': protocols.join(', ') },
        maxPayload: largestPayload,
        perMessageDeflate: false,
        autoPong: false,
        ...(url.protocol === 'https:' ? { generateMask: unmasked } : {}),
      })
      const stop = (): void => socket.terminate()
      // ws restarts its own timeout with each byte.
      const letGo = clock.after(handshakeMs, () => {
        resolve(E.left(new Error(`there was no answer within ${handshakeMs / 1000} s`)))
        stop()
      })
      signal.addEventListener('abort', stop, { once: true })
      socket.once('close', () => {
        letGo()
        signal.removeEventListener('abort', stop)
      })
      socket.on('error', (cause) => {
        letGo()
        resolve(E.left(cause))
      })
      socket.once('unexpected-response', (_request, response) => {
        letGo()
        // The caller may look at the body only later: an error before that must not crash the process.
        response.on('error', () => {})
        resolve(E.right({ _tag: 'Answered', response }))
      })
      socket.once('upgrade', ({ headers: given }) => {
        const protocol = protocols.find((offered) => offered === given['sec-websocket-protocol'])
        // ws does not accept subprotocol names with a slash, as Kubernetes uses, so it is not told about any.
        delete given['sec-websocket-protocol']
        socket.once('open', () => {
          letGo()
          if (protocol === undefined) {
            resolve(E.left(new Error(`the server supports none of ${protocols.join(', ')}`)))
            socket.terminate()
            return
          }
          // Paused before the first message is read, since the listener comes later.
          socket.pause()
          resolve(E.right({ _tag: 'Linked', link: linkOf(socket, { protocol, clock }) }))
        })
      })
    })
