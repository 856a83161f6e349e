/** Messages of the channel protocols: each begins with the number of its channel. */

/** The other side keeps a message whole. */
const largestPart = 64 * 1024

/** Bytes in parts that can be sent; none of nothing. */
export const partsOf = (bytes: Uint8Array): ReadonlyArray<Uint8Array> =>
  Array.from({ length: Math.ceil(bytes.length / largestPart) }, (_, index) =>
    bytes.subarray(index * largestPart, (index + 1) * largestPart),
  )

export const headed = (head: Uint8Array, bytes: Uint8Array): Buffer => {
  const message = Buffer.allocUnsafe(head.length + bytes.length)
  message.set(head, 0)
  message.set(bytes, head.length)
  return message
}

export const channelMessages = (channel: number, bytes: Uint8Array): ReadonlyArray<Buffer> =>
  partsOf(bytes).map((part) => headed(Uint8Array.of(channel), part))

/** `undefined` of a message that has no channel. */
export const readChannel = (message: Buffer): { readonly channel: number; readonly bytes: Buffer } | undefined =>
  message.length === 0 ? undefined : { channel: message.readUInt8(0), bytes: message.subarray(1) }
