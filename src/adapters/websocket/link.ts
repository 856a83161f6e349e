/** A WebSocket as a stream of binary messages with back-pressure in both directions. */
import type { RawData, WebSocket } from 'ws'
import type { Clock } from '../../ports/clock.ts'
import { causeText } from '../http/causes.ts'
import { startHeartbeat } from './heartbeat.ts'

type WriteCallback = (cause?: Error | null) => void

/** `take` returns false to pause until `resume`. `end` is called once; without a reason the end was normal. */
type Listener = {
  readonly take: (message: Buffer) => boolean
  readonly end: (reason: string | undefined) => void
}

export type WebSocketLink = {
  /** The subprotocol that the server chose. */
  readonly protocol: string
  /** `done` is called when there is room for more, which may be at once. */
  readonly send: (messages: ReadonlyArray<Buffer>, done: WriteCallback) => void
  /** `done` is called when everything sent has left this process. */
  readonly flush: (done: WriteCallback) => void
  /** Nothing is read before there is a listener. */
  readonly listen: (listener: Listener) => void
  readonly resume: () => void
  /** Closes at once, whatever is still to be sent or read. */
  readonly close: () => void
}

const mostWaiting = 256 * 1024

const normalClosure = 1000
const noStatus = 1005
const brokenOff = 1006

const bytesOf = (data: RawData): Buffer =>
  Buffer.isBuffer(data) ? data : Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data)

const reasonOf = (code: number, text: string): string | undefined => {
  if (code === normalClosure || code === noStatus) return undefined
  if (code === brokenOff) return 'the connection was cut off'
  return `the connection was closed with status ${code}${text === '' ? '' : `: ${text}`}`
}

/** `socket` is open and paused. */
export const linkOf = (
  socket: WebSocket,
  { clock, protocol }: { readonly clock: Clock; readonly protocol: string },
): WebSocketLink => {
  let isOurs = false
  let cause: string | undefined

  const heartbeat = startHeartbeat(socket, clock, (reason) => {
    cause ??= reason
    socket.terminate()
  })
  socket.on('error', (failure) => {
    cause ??= causeText(failure)
  })
  socket.on('ping', (data) => {
    if (socket.bufferedAmount < mostWaiting * 2) return socket.pong(data)
    cause ??= 'the server asks without reading the answers'
    socket.terminate()
  })

  return {
    protocol,
    send: (messages, done) => {
      let isLate = false
      for (const [index, message] of messages.entries()) {
        heartbeat.sent(message.length)
        const isLast = index === messages.length - 1
        socket.send(message, (failure) => {
          if (isLast && isLate) done(failure)
        })
      }
      isLate = messages.length > 0 && socket.bufferedAmount > mostWaiting
      if (!isLate) done()
    },
    // A ping is sent after everything sent before it.
    flush: (done) => socket.ping(undefined, undefined, () => done()),
    listen: ({ end, take }) => {
      socket.on('message', (data) => {
        if (!take(bytesOf(data))) socket.pause()
      })
      socket.on('close', (code, text) => {
        heartbeat.stop()
        end(isOurs ? undefined : (cause ?? reasonOf(code, text.toString('utf8'))))
      })
      socket.resume()
    },
    resume: () => socket.resume(),
    close: () => {
      isOurs = true
      socket.terminate()
    },
  }
}
