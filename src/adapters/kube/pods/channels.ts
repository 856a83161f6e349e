/** Messages of the channel protocols: each begins with its channel number. */

/** The receiver buffers a whole message. */
const largestPart = 64 * 1024

/** Splits bytes into messages of a limited size; no message when there are none. */
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

/** `undefined` for an empty message. */
export const readChannel = (message: Buffer): { readonly channel: number; readonly bytes: Buffer } | undefined =>
  message.length === 0 ? undefined : { channel: message.readUInt8(0), bytes: message.subarray(1) }
