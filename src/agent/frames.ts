/** Messages between the SSH server and the keeper of a program: a kind, the length of the payload, and the payload. */

/**
 * To the keeper. attach: with the number of bytes that the client has. stdin: answered by `taken`. done: the client
 * knows how the program ended. close: the client left for good. From the keeper. from: where the output continues.
 * taken: input has been written. exit: after all output.
 */
const kinds = ['attach', 'stdin', 'resize', 'signal', 'done', 'close', 'from', 'taken', 'output', 'exit'] as const
export type Kind = (typeof kinds)[number]
export type Frame = { readonly kind: Kind; readonly bytes: Buffer }

const headBytes = 5

export const frameOf = (kind: Kind, bytes: Buffer | string = ''): Buffer => {
  const body = Buffer.from(bytes)
  const head = Buffer.alloc(headBytes)
  head.writeUInt8(kinds.indexOf(kind), 0)
  head.writeUInt32BE(body.length, 1)
  return Buffer.concat([head, body])
}

/** Returns the complete frames so far. */
export const frameReader = (): ((chunk: Buffer) => ReadonlyArray<Frame>) => {
  let held: Buffer = Buffer.alloc(0)
  return (chunk) => {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk])
    const frames: Array<Frame> = []
    while (held.length >= headBytes) {
      const end = headBytes + held.readUInt32BE(1)
      const kind = kinds[held.readUInt8(0)]
      if (held.length < end || kind === undefined) break
      frames.push({ kind, bytes: held.subarray(headBytes, end) })
      held = held.subarray(end)
    }
    return frames
  }
}
