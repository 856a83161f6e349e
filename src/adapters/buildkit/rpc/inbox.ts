/** Queues the messages of a stream, with back-pressure on the sender. */
import type { Readable } from 'node:stream'
import * as E from 'fp-ts/lib/Either.js'
import type { CallStatus } from './call.ts'
import { frameReader, prefixBytes } from './frames.ts'

const limitBytes = 1024 * 1024

export type InboxEvents = {
  /** Called for an invalid message: reading stops. */
  readonly refuse: (status: CallStatus) => void
  /** Called when the loop is left before the end. */
  readonly leave?: () => void
}

export type Inbox = {
  /** After a loop was left, another one can continue. */
  readonly messages: AsyncIterable<Uint8Array>
  /** Queued messages can still be read. */
  readonly end: () => void
}

/** Ends with the stream, for whatever reason. */
export const openInbox = (stream: Readable, { leave, refuse }: InboxEvents): Inbox => {
  const frames = frameReader()
  let queue: Array<Uint8Array> = []
  let at = 0
  let queuedBytes = 0
  let isEnded = false
  let wake = (): void => {}

  const end = (): void => {
    isEnded = true
    wake()
  }
  stream.on('data', (chunk: Buffer) => {
    if (isEnded) return
    const read = frames.read(chunk)
    if (E.isLeft(read)) {
      end()
      return refuse(read.left)
    }
    if (read.right.length === 0) return
    for (const message of read.right) {
      queue.push(message)
      queuedBytes += message.length + prefixBytes
    }
    if (queuedBytes > limitBytes) stream.pause()
    wake()
  })
  stream.on('end', () => {
    if (frames.isWithin() && !isEnded) refuse({ code: 13, message: 'the last message is not whole' })
    end()
  })
  stream.on('close', end)

  const take = (): Uint8Array | undefined => {
    const message = queue[at]
    if (message === undefined) return undefined
    at += 1
    queuedBytes -= message.length + prefixBytes
    if (at === queue.length) {
      queue = []
      at = 0
      if (stream.isPaused()) stream.resume()
    }
    return message
  }
  const next = async (): Promise<IteratorResult<Uint8Array, undefined>> => {
    for (;;) {
      const message = take()
      if (message !== undefined) return { done: false, value: message }
      if (isEnded) return { done: true, value: undefined }
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }
  const leaveLoop = async (): Promise<IteratorResult<Uint8Array, undefined>> => {
    leave?.()
    return { done: true, value: undefined }
  }
  return { messages: { [Symbol.asyncIterator]: () => ({ next, return: leaveLoop }) }, end }
}
