/** Messages of the SSH agent protocol (draft-miller-ssh-agent): four bytes of length, one of type, and the rest. */

const headBytes = 4
/** OpenSSH accepts no longer messages. */
const limitBytes = 256 * 1024

const failureType = 5
/** SSH_AGENT_FAILURE. */
export const agentFailure: Uint8Array = Uint8Array.from([0, 0, 0, 1, failureType])

const listType = 11
const signType = 13

/** Listing keys and signing. Build steps must not add, remove or lock keys. */
export const isHarmless = (message: Uint8Array): boolean => {
  const type = message[headBytes]
  return type === listType || type === signType
}

/** Complete messages with their headers, however the bytes arrive. Throws on a message over the limit. */
export async function* agentMessages(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  let held: Buffer = Buffer.alloc(0)
  for await (const chunk of chunks) {
    held = held.length === 0 ? Buffer.from(chunk) : Buffer.concat([held, chunk])
    while (held.length >= headBytes) {
      const length = held.readUInt32BE(0)
      if (length > limitBytes) throw new RangeError('a message of the SSH agent protocol is too long')
      if (held.length < headBytes + length) break
      yield held.subarray(0, headBytes + length)
      held = held.subarray(headBytes + length)
    }
  }
}
