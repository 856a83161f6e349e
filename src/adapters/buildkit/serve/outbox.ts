/** Queues outgoing messages of a stream, batching small ones. */
import type { ServerHttp2Stream } from 'node:http2'
import { prefixBytes, writePrefix } from '../rpc/frames.ts'

const batchBytes = 64 * 1024
/** From this size on, copying costs more than another write. */
const largeBytes = 32 * 1024
/** How much may be queued before the sender has to wait. */
const aheadBytes = 256 * 1024

export type Outbox = {
  /** Returns a promise when the peer is slow; never rejects. Messages to a closed stream are dropped. */
  readonly send: (message: Uint8Array) => Promise<void> | undefined
  readonly flush: () => void
}

export const openOutbox = (stream: ServerHttp2Stream): Outbox => {
  let batch = Buffer.allocUnsafeSlow(batchBytes)
  let from = 0
  let to = 0
  let timer: NodeJS.Immediate | undefined
  let slow: Promise<void> | undefined

  const isOpen = (): boolean => !stream.destroyed && !stream.writableEnded
  const flush = (): void => {
    clearImmediate(timer)
    timer = undefined
    if (from === to) return
    if (isOpen()) stream.write(batch.subarray(from, to))
    from = to
  }
  const renew = (): void => {
    flush()
    // A buffer that was written belongs to the stream.
    batch = Buffer.allocUnsafeSlow(batchBytes)
    from = 0
    to = 0
  }
  const put = (message: Uint8Array): void => {
    if (to + prefixBytes + message.length > batchBytes) renew()
    writePrefix(batch, to, message.length)
    batch.set(message, to + prefixBytes)
    to += prefixBytes + message.length
    timer ??= setImmediate(flush)
  }
  const putLarge = (message: Uint8Array): void => {
    if (to + prefixBytes > batchBytes) renew()
    writePrefix(batch, to, message.length)
    to += prefixBytes
    stream.cork()
    flush()
    stream.write(message)
    stream.uncork()
  }
  const waitForDrain = (): Promise<void> =>
    new Promise((resolve) => {
      const go = (): void => {
        stream.off('drain', go)
        stream.off('close', go)
        slow = undefined
        resolve()
      }
      stream.on('drain', go)
      stream.on('close', go)
    })

  const send = (message: Uint8Array): Promise<void> | undefined => {
    if (!isOpen()) return undefined
    if (message.length < largeBytes) put(message)
    else putLarge(message)
    if (stream.writableLength > aheadBytes) slow ??= waitForDrain()
    return slow
  }
  return { send, flush }
}
