/**
 * Messages between the two ends of a synchronisation: the lengths of a head and of a body, a head in JSON, and the
 * bytes of the body. Both lengths are bounded, since the other side is not trusted.
 */
import type { Readable, Writable } from 'node:stream'

export type Message = { readonly head: unknown; readonly body: Buffer }

const lengthBytes = 8
const mostHead = 4 * 1024 * 1024
const mostBody = 1024 * 1024

const none = Buffer.alloc(0)

const messageOf = (head: unknown, body: Uint8Array = none): Buffer => {
  const text = Buffer.from(JSON.stringify(head))
  const lengths = Buffer.alloc(lengthBytes)
  lengths.writeUInt32BE(text.length, 0)
  lengths.writeUInt32BE(body.length, 4)
  return Buffer.concat([lengths, text, body])
}

/** Waits until the stream accepts more, or is closed, which its sender notices elsewhere. */
const drained = (to: Writable): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      to.off('drain', done).off('close', done)
      resolve()
    }
    to.on('drain', done).on('close', done)
  })

/** Waits while the stream is full. */
export const send = async (to: Writable, head: unknown, body?: Uint8Array): Promise<void> => {
  if (to.writable && !to.write(messageOf(head, body))) await drained(to)
}

/** Ends with the stream. Throws on an invalid message, or one that is too long. */
export async function* messages(from: Readable): AsyncGenerator<Message, void> {
  let chunks: Array<Buffer> = []
  let held = 0
  const join = (): Buffer => {
    const all = chunks.length === 1 ? (chunks[0] ?? none) : Buffer.concat(chunks)
    chunks = [all]
    return all
  }
  let wanted = lengthBytes
  for await (const chunk of from) {
    const bytes: Buffer = chunk
    chunks.push(bytes)
    held += bytes.length
    while (held >= wanted) {
      const all = join()
      const [headBytes, bodyBytes] = [all.readUInt32BE(0), all.readUInt32BE(4)]
      if (headBytes > mostHead || bodyBytes > mostBody) throw new Error('a message is too long')
      wanted = lengthBytes + headBytes + bodyBytes
      if (held < wanted) break
      const body = all.subarray(lengthBytes + headBytes, wanted)
      const head: unknown = JSON.parse(all.subarray(lengthBytes, lengthBytes + headBytes).toString())
      chunks = [all.subarray(wanted)]
      held -= wanted
      wanted = lengthBytes
      yield { head, body }
    }
  }
}
