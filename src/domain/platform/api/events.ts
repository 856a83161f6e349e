/** Streamed answers: server-sent events, as browsers and `curl -N` read them. */
import * as t from 'io-ts'
import type { Json } from '../../cluster/json.ts'
import type { Keys, Rows } from '../../print/document.ts'

/** `id`: where a client resumes after it has lost the connection. */
export type ServerEvent = { readonly event: string; readonly id?: number; readonly data: Json }

/** Ends when the signal is aborted, at the latest. */
export type EventStream = (signal: AbortSignal) => AsyncIterable<ServerEvent>

export type Events = Keys<EventStream> & { readonly isStream: true }

/** The possible events, by name. */
export const eventsOf = (rows: Rows): Events => {
  const is = (value: unknown): value is EventStream => typeof value === 'function'
  const codec = new t.Type<EventStream>(
    'events',
    is,
    (value, context) => (is(value) ? t.success(value) : t.failure(value, context)),
    t.identity,
  )
  return Object.assign(codec, { required: rows, optional: {}, isStream: true as const })
}

export const isEvents = (codec: object): boolean => 'isStream' in codec

/** One event on the wire. JSON has no line breaks, so each part is one line. */
export const eventText = ({ data, event, id }: ServerEvent): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`

/** A comment, which shows both ends that the connection is alive. */
export const SIGN_OF_LIFE = ':\n\n'

type Unread = { readonly event: string; readonly id: string; readonly data: ReadonlyArray<string> }
const nothing: Unread = { event: 'message', id: '', data: [] }

/** The part of an incomplete event that has arrived. */
export type ReceivedEvent = { readonly event: string; readonly id: string; readonly data: string }

/** Takes the lines of a stream one by one, and returns an event at the empty line that ends it. */
export const eventReader = (): ((line: string) => ReceivedEvent | undefined) => {
  let unread = nothing
  return (line) => {
    if (line === '') {
      const { data, event, id } = unread
      unread = nothing
      return data.length === 0 ? undefined : { event, id, data: data.join('\n') }
    }
    const [, name = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? []
    if (name === 'data') unread = { ...unread, data: [...unread.data, value] }
    else if (name === 'event' || name === 'id') unread = { ...unread, [name]: value }
    return undefined
  }
}
