/**
 * Pings the server, and ends a connection without responses. A server cannot respond while the application behind it
 * does not read, so the limit is longer after much has been sent.
 */
import type { WebSocket } from 'ws'
import type { Clock } from '../../ports/clock.ts'

const pingMs = 10_000
const mostUnanswered = 3
const mostWhileStalled = 30
/** What fits into the buffers between us and an application that does not read. */
const smallBytes = 64 * 1024

type Heartbeat = { readonly sent: (bytes: number) => void; readonly stop: () => void }

/** Pings are counted rather than time: after a pause of this process, responses may not have been read yet. */
export const startHeartbeat = (socket: WebSocket, clock: Clock, end: (reason: string) => void): Heartbeat => {
  const stopped = new AbortController()
  let unanswered = 0
  let sentBytes = 0

  const hear = (): void => {
    unanswered = 0
    sentBytes = 0
  }
  const beat = async (): Promise<void> => {
    for (;;) {
      await clock.sleep(pingMs, stopped.signal)
      if (stopped.signal.aborted) return
      // Nothing can be received while paused.
      if (socket.isPaused) hear()
      const most = sentBytes > smallBytes ? mostWhileStalled : mostUnanswered
      if (unanswered >= most) return end(`nothing was received for ${(most * pingMs) / 1000} s`)
      unanswered += 1
      socket.ping()
    }
  }
  socket.on('message', hear)
  socket.on('pong', hear)
  void beat()
  return {
    sent: (bytes) => {
      sentBytes += bytes
    },
    stop: () => stopped.abort(),
  }
}
