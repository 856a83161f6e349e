/** The target of an event stream, as a response. */
import { PassThrough, Readable } from 'node:stream'
import type { EventSink } from '../../../src/adapters/api-server/request-state.ts'

type Head = { readonly status: number; readonly headers: Record<string, string> }

/** `sent`: the response; `undefined` while nothing has been written. */
export const memoryOutgoing = (): { readonly outgoing: EventSink; readonly sent: () => Response | undefined } => {
  const stream = new PassThrough({ highWaterMark: 1024 * 1024 })
  let head: Head | undefined
  const writeHead = (status: number, headers: Record<string, string>): unknown => {
    head = { status, headers }
    return stream
  }
  return {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- streams write to nothing else of a response
    outgoing: Object.assign(stream, { writeHead }) as unknown as EventSink,
    sent: () => (head === undefined ? undefined : new Response(Readable.toWeb(stream) as ReadableStream, head)),
  }
}
