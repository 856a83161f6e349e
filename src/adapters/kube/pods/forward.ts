/** The two protocols of port-forwards, in the same words: streams to ports of one pod, on one link. */
import type { WebSocketLink } from '../../websocket/link.ts'
import { channelMessages, readChannel } from './channels.ts'
import { dataFrames, openStream, resetStream, type SpdyEvent, spdyReader } from './spdy.ts'

export const tunnelProtocol = 'SPDY/3.1+portforward.k8s.io'
export const channelProtocol = 'v4.channel.k8s.io'

/** `Accepted`: comes before the data. `Refused`: what the server says of the port. `End`: the pod sends nothing more. */
export type ForwardEvent =
  | { readonly _tag: 'Accepted'; readonly id: number }
  | { readonly _tag: 'Data'; readonly id: number; readonly bytes: Buffer }
  | { readonly _tag: 'Refused'; readonly id: number; readonly message: string }
  | { readonly _tag: 'End'; readonly id: number }
  | { readonly _tag: 'Reply'; readonly message: Buffer }

type Messages = ReadonlyArray<Buffer>

/**
 * That nothing more comes from us is never said: channels have no word for it, and of SPDY the container runtime takes
 * it as leave to close the other direction, too, one second later.
 */
export type Forward = {
  /** `undefined`: the link takes no more streams. */
  readonly open: (port: number) => { readonly id: number; readonly messages: Messages } | undefined
  readonly frame: (id: number, bytes: Uint8Array) => Messages
  readonly close: (id: number) => Messages
  /** Throws at what is not of the protocol. */
  readonly read: (message: Buffer) => ReadonlyArray<ForwardEvent>
}

const portBytes = 2

/**
 * One stream, to the port that the link was opened with. Channel 0 is the data, channel 1 says why there is none. The
 * first message of each has only the number of the port.
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

/** Each stream has one for errors beside it, which is opened before it. */
const firstData = 3
const nextData = 4
const errorsOf = (id: number): number => id - 2
const dataOf = (id: number): number => (id % nextData === firstData ? id : id + 2)

type StreamEvent = Exclude<SpdyEvent, { _tag: 'Ping' | 'GoAway' }>
type TunnelStream = { isAccepted: boolean; readonly ended: Set<number> }

const tunnelEvents = (streams: Map<number, TunnelStream>) => {
  const ofStream = (event: StreamEvent, id: number, stream: TunnelStream): ReadonlyArray<ForwardEvent> => {
    const isData = event.id === id
    switch (event._tag) {
      case 'Accepted':
        return []
      case 'Data':
        return [isData ? { ...event, id } : { _tag: 'Refused', id, message: event.bytes.toString() }]
      case 'Reset':
        return isData ? [{ _tag: 'Refused', id, message: 'the stream was reset' }] : []
      case 'End':
        stream.ended.add(event.id)
        // The data may end before it is said on the other stream why.
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

/** SPDY between us and the container runtime, which has no windows: what one stream holds up waits for all of them. */
const tunnelForward = (): Forward => {
  const streams = new Map<number, TunnelStream>()
  const [readSpdy, eventsOf] = [spdyReader(), tunnelEvents(streams)]
  let [next, isEnding] = [firstData, false]
  return {
    open: (port) => {
      if (isEnding) return undefined
      const id = next
      next += nextData
      streams.set(id, { isAccepted: false, ended: new Set() })
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
