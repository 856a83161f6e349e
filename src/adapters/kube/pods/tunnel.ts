/** Streams to ports of one pod over a shared link. */
import { causeText } from '../../http/causes.ts'
import type { WebSocketLink } from '../../websocket/link.ts'
import { type ForwardEvent, forwardOver } from './forward.ts'

/** `take` returns false to pause, until the stream is resumed. One of the other two is called once, as the last. */
type Receiver = {
  readonly accept: () => void
  readonly take: (bytes: Buffer) => boolean
  readonly refuse: (message: string) => void
  /** Without a reason the end was normal. */
  readonly end: (reason: string | undefined) => void
}

type WriteCallback = (cause?: Error | null) => void

type Sender = {
  readonly send: (bytes: Uint8Array, done: WriteCallback) => void
  readonly flush: (done: WriteCallback) => void
  readonly askForMore: () => void
  readonly close: () => void
}

export type Tunnel = {
  /** `undefined` when the link accepts no more streams. */
  readonly open: (port: number, receiver: Receiver) => Sender | undefined
  /** Not blocked by any stream, and without problems so far. */
  readonly isFree: () => boolean
  /** Marks it as no longer free. */
  readonly avoid: () => void
}

/** Answers to the server's pings that may be queued here. */
const mostUnread = 10_000

export const tunnelOver = (link: WebSocketLink): Tunnel => {
  const forward = forwardOver(link)
  const receivers = new Map<number, Receiver>()
  const full = new Set<number>()
  let [waitingWrites, unread, isListening, isFit, isOver] = [0, 0, false, true, false]

  const askForMore = (id: number): void => {
    if (full.delete(id) && full.size === 0) link.resume()
  }
  /** The receiver gets no more events. */
  const leave = (id: number): Receiver | undefined => {
    const receiver = receivers.get(id)
    receivers.delete(id)
    askForMore(id)
    return receiver
  }
  const end = (reason: string | undefined): void => {
    isOver = true
    for (const id of [...receivers.keys()]) leave(id)?.end(reason)
  }
  const tell = (event: ForwardEvent): void => {
    switch (event._tag) {
      case 'Reply':
        unread += 1
        if (unread > mostUnread) throw new Error('the server asks without reading the answers')
        return link.send([event.message], () => {
          unread -= 1
        })
      case 'Accepted':
        return receivers.get(event.id)?.accept()
      case 'Data':
        if (receivers.get(event.id)?.take(event.bytes) === false) full.add(event.id)
        return
      case 'Refused':
        // The pod may have been replaced by another of the same name: the next stream uses a new link to find out.
        isFit = false
        return leave(event.id)?.refuse(event.message.trim())
      case 'End':
        return leave(event.id)?.end(undefined)
    }
  }
  const take = (message: Buffer): boolean => {
    try {
      forward.read(message).forEach(tell)
    } catch (cause) {
      link.close()
      end(causeText(cause))
    }
    return full.size === 0
  }

  return {
    avoid: () => {
      isFit = false
    },
    isFree: () => isFit && !isOver && full.size === 0 && waitingWrites === 0,
    open: (port, receiver) => {
      const opened = isOver ? undefined : forward.open(port)
      if (opened === undefined) {
        isFit = false
        return undefined
      }
      const { id, messages } = opened
      receivers.set(id, receiver)
      if (!isListening) link.listen({ take, end })
      isListening = true
      link.send(messages, () => {})
      return {
        send: (bytes, done) => {
          waitingWrites += 1
          link.send(forward.frame(id, bytes), (cause) => {
            waitingWrites -= 1
            done(cause)
          })
        },
        flush: link.flush,
        askForMore: () => askForMore(id),
        close: () => {
          leave(id)
          link.send(forward.close(id), () => {})
        },
      }
    },
  }
}
