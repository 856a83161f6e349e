/** The server of a session: the builder is the client, on a connection that this machine opened. */
import { performServerHandshake, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2'
import type { Duplex } from 'node:stream'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { RpcService } from '../rpc/call.ts'
import { healthPath } from '../rpc/health.ts'
import { answerCall } from './answer.ts'
import { unary } from './unary.ts'
import { maxFrameBytes, withWholeHeaders } from './whole-headers.ts'

export type Serving = {
  readonly close: () => void
  /** Resolves when all calls have ended. Rejects with the defect of a handler, if there was one. */
  readonly ended: Promise<void>
}

/** HealthCheckResponse{status: SERVING}. */
const serving = Uint8Array.of(0x08, 0x01)

const streamWindowBytes = 1024 * 1024
const connectionWindowBytes = 8 * 1024 * 1024

/** Patterns of a context are sent as headers, one each, by the thousand; they may begin or end with a space. */
const options = {
  maxHeaderListPairs: 1 << 20,
  maxSessionMemory: 1000,
  strictFieldWhitespaceValidation: false,
  settings: {
    maxHeaderListSize: 16 * 1024 * 1024,
    initialWindowSize: streamWindowBytes,
    maxFrameSize: maxFrameBytes,
    // Further calls of the builder wait.
    maxConcurrentStreams: 256,
    enablePush: false,
  },
}

const widen = (session: ServerHttp2Session): void => {
  if (!session.destroyed) session.setLocalWindowSize(connectionWindowBytes)
}

/** Serves until the stream ends or `close` is called, and destroys the stream then. Answers health checks itself. */
export const serveSession = (tunnel: Duplex, service: RpcService): Serving => {
  const whole: RpcService = new Map([...service, [healthPath, unary(() => TE.right(serving))]])
  const session = performServerHandshake(withWholeHeaders(tunnel), options)
  const ended = new Promise<void>((resolve, reject) => {
    session.on(
      'stream',
      (stream: ServerHttp2Stream, _headers: unknown, _flags: unknown, rawHeaders: ReadonlyArray<string>) => {
        answerCall(whole, stream, rawHeaders).catch((defect: unknown) => {
          reject(defect)
          session.destroy()
        })
      },
    )
    session.on('error', () => {})
    session.on('close', () => {
      tunnel.destroy()
      resolve()
    })
  })
  tunnel.on('error', () => {})
  widen(session)
  return { close: () => session.destroy(), ended }
}
