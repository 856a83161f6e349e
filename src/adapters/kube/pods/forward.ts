/** A common interface for both port-forward protocols: streams to ports of one pod, on one link. */
import type { WebSocketLink } from '../../websocket/link.ts'
import { channelMessages, readChannel } from './channels.ts'
import { dataFrames, openStream, resetStream, type SpdyEvent, spdyReader } from './spdy.ts'

export const tunnelProtocol = 'SPDY/3.1+portforward.k8s.io'
export const channelProtocol = 'v4.channel.k8s.io'

/**
 * `Accepted`: comes before the data. `Refused`: the server's message about the port. `End`: the pod sends no more data.
 */
export type ForwardEvent =
  | { readonly _tag: 'Accepted'; readonly id: number }
  | { readonly _tag: 'Data'; readonly id: number; readonly bytes: Buffer }
  | { readonly _tag: 'Refused'; readonly id: number; readonly message: string }
  | { readonly _tag: 'End'; readonly id: number }
  | { readonly _tag: 'Reply'; readonly message: Buffer }

type Messages = ReadonlyArray<Buffer>

/**
 * The end of our data is never sent: channels have no message for it, and with SPDY the container runtime closes the
 * other direction one second later, too.
 */
export type Forward = {
  /** `undefined` when the link accepts no more streams. */
  readonly open: (port: number) => { readonly id: number; readonly messages: Messages } | undefined
  readonly frame: (id: number, bytes: Uint8Array) => Messages
  readonly close: (id: number) => Messages
  /** Throws on a protocol error. */
  readonly read: (message: Buffer) => ReadonlyArray<ForwardEvent>
}

const portBytes = 2

/**
 * One stream, to the port for which the link was opened. Channel 0 is the data, channel 1 the error. The first message
 * of each contains only the port number.
 */
const channelForward = (): Forward => {
  const id = 0
  const begun = new Set<number>()
  let isOpened = false
  return {
    open: () => {
      if (isOpened) return undefined
      isOpened = true
      return { id, messages: [] }
    },
    frame: (_, bytes) => channelMessages(0, bytes),
    close: () => [],
    read: (message) => {
      const read = readChannel(message)
      if (read === undefined) return []
      const bytes = begun.has(read.channel) ? read.bytes : read.bytes.subarray(portBytes)
      begun.add(read.channel)
      if (bytes.length === 0) return []
      return [read.channel === 0 ? { _tag: 'Data', id, bytes } : { _tag: 'Refused', id, message: bytes.toString() }]
    },
  }
}

/** Each data stream has an error stream, which is opened before it. */
const firstData = 3
const nextData = 4
const errorsOf = (id: number): number => id - 2
const dataOf = (id: number): number => (id % nextData === firstData ? id : id + 2)

type StreamEvent = Exclude<SpdyEvent, { _tag: 'Ping' | 'GoAway' }>
/** `refusal`: what has come on the error stream. */
type TunnelStream = { isAccepted: boolean; readonly ended: Set<number>; refusal: Buffer }

const longestRefusal = 64 * 1024

const tunnelEvents = (streams: Map<number, TunnelStream>) => {
  const ofStream = (event: StreamEvent, id: number, stream: TunnelStream): ReadonlyArray<ForwardEvent> => {
    const isData = event.id === id
    const refused = (): ForwardEvent => ({ _tag: 'Refused', id, message: stream.refusal.toString() })
    switch (event._tag) {
      case 'Accepted':
        return []
      case 'Data':
        if (isData) return [{ ...event, id }]
        stream.refusal = Buffer.concat([stream.refusal, event.bytes]).subarray(0, longestRefusal)
        return stream.refusal.length < longestRefusal ? [] : [refused()]
      case 'Reset':
        return isData ? [{ _tag: 'Refused', id, message: 'the stream was reset' }] : []
      case 'End':
        stream.ended.add(event.id)
        if (!isData && stream.refusal.length > 0) return [refused()]
        // The data may end before the error stream gives the reason.
        if (stream.ended.size < 2) return []
        streams.delete(id)
        return [{ _tag: 'End', id }]
    }
  }
  return (event: SpdyEvent): ReadonlyArray<ForwardEvent> => {
    if (event._tag === 'Ping') return [{ _tag: 'Reply', message: event.frame }]
    if (event._tag === 'GoAway')
      return [...streams]
        .filter(([id, { isAccepted }]) => !isAccepted && id > event.last)
        .map(([id]) => ({ _tag: 'Refused', id, message: noMoreStreams }))
    const id = dataOf(event.id)
    const stream = streams.get(id)
    if (stream === undefined) return []
    const isFirst = event.id === id && !stream.isAccepted
    stream.isAccepted ||= isFirst
    return [...(isFirst ? [{ _tag: 'Accepted', id } as const] : []), ...ofStream(event, id, stream)]
  }
}

export const noMoreStreams = 'the server accepts no more streams'

/** The container runtime ignores SPDY's windows, so a stream that is not read blocks all others. */
const tunnelForward = (): Forward => {
  const streams = new Map<number, TunnelStream>()
  const [readSpdy, eventsOf] = [spdyReader(), tunnelEvents(streams)]
  let [next, isEnding] = [firstData, false]
  return {
    open: (port) => {
      if (isEnding) return undefined
      const id = next
      next += nextData
      streams.set(id, { isAccepted: false, ended: new Set(), refusal: Buffer.alloc(0) })
      const about = { port: String(port), requestid: String(id) }
      const isFirst = id === firstData
      const messages = [
        openStream(errorsOf(id), { streamtype: 'error', ...about }, { isFirst, isClosed: true }),
        openStream(id, { streamtype: 'data', ...about }, { isFirst: false, isClosed: false }),
      ]
      return { id, messages }
    },
    frame: dataFrames,
    close: (id) => (streams.delete(id) ? [resetStream(id)] : []),
    read: (message) =>
      readSpdy(message).flatMap((event) => {
        isEnding ||= event._tag === 'GoAway'
        return eventsOf(event)
      }),
  }
}

export const forwardOver = ({ protocol }: WebSocketLink): Forward =>
  protocol === tunnelProtocol ? tunnelForward() : channelForward()
