/** The two protocols of port-forwards, in the same words. */
import type { WebSocketLink } from '../../websocket/link.ts'
import { channelMessages, readChannel } from './channels.ts'
import { dataFrames, openStream, type SpdyEvent, spdyReader } from './spdy.ts'

export const tunnelProtocol = 'SPDY/3.1+portforward.k8s.io'
export const channelProtocol = 'v4.channel.k8s.io'

/** `Refused`: what the server says of the port. `End`: the pod sends nothing more. */
export type ForwardEvent =
  | { readonly _tag: 'Data'; readonly bytes: Buffer }
  | { readonly _tag: 'Refused'; readonly message: string }
  | { readonly _tag: 'End' }
  | { readonly _tag: 'Reply'; readonly messages: ReadonlyArray<Buffer> }

/**
 * `begin` is sent first. That nothing more comes from us is never said: channels have no word for it, and of SPDY the
 * container runtime takes it as leave to close the other direction, too, one second later.
 */
export type Forward = {
  readonly begin: ReadonlyArray<Buffer>
  readonly frame: (bytes: Uint8Array) => ReadonlyArray<Buffer>
  readonly read: (message: Buffer) => ReadonlyArray<ForwardEvent>
}

const portBytes = 2

/** Channel 0 is the data, channel 1 says why there is none. The first message of each has only the number of the port. */
const channelForward = (): Forward => {
  const begun = new Set<number>()
  return {
    begin: [],
    frame: (bytes) => channelMessages(0, bytes),
    read: (message) => {
      const read = readChannel(message)
      if (read === undefined) return []
      const bytes = begun.has(read.channel) ? read.bytes : read.bytes.subarray(portBytes)
      begun.add(read.channel)
      if (bytes.length === 0) return []
      return [read.channel === 0 ? { _tag: 'Data', bytes } : { _tag: 'Refused', message: bytes.toString('utf8') }]
    },
  }
}

const [errorStream, dataStream] = [1, 3]

const tunnelEvents = () => {
  const ended = new Set<number>()
  let isAccepted = false
  return (event: SpdyEvent): ForwardEvent | undefined => {
    isAccepted ||= 'id' in event && event.id === dataStream
    switch (event._tag) {
      case 'Accepted':
        return undefined
      case 'Data':
        return event.id === dataStream
          ? { _tag: 'Data', bytes: event.bytes }
          : { _tag: 'Refused', message: event.bytes.toString('utf8') }
      case 'End':
        ended.add(event.id)
        // The data may end before it is said on the other stream why.
        return ended.has(dataStream) && ended.has(errorStream) ? { _tag: 'End' } : undefined
      case 'Reset':
        return event.id === dataStream ? { _tag: 'Refused', message: 'the stream was reset' } : undefined
      case 'GoAway':
        return isAccepted || event.last >= dataStream
          ? undefined
          : { _tag: 'Refused', message: 'the server accepts no more streams' }
      case 'Ping':
        return { _tag: 'Reply', messages: [event.frame] }
    }
  }
}

/** SPDY between us and the kubelet: a stream for the data, and one on which it says why there is none. */
const tunnelForward = (port: number): Forward => {
  const about = { port: String(port), requestid: '0' }
  const [readSpdy, eventOf] = [spdyReader(), tunnelEvents()]
  return {
    begin: [
      openStream(errorStream, { streamtype: 'error', ...about }, { isFirst: true, isClosed: true }),
      openStream(dataStream, { streamtype: 'data', ...about }, { isFirst: false, isClosed: false }),
    ],
    frame: (bytes) => dataFrames(dataStream, bytes),
    read: (message) => readSpdy(message).flatMap((event) => eventOf(event) ?? []),
  }
}

export const forwardOver = ({ protocol }: WebSocketLink, port: number): Forward =>
  protocol === tunnelProtocol ? tunnelForward(port) : channelForward()
