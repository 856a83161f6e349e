/** Messages to and from the keeper of a program: a kind, the length of the payload, and the payload. */

/**
 * To the agent, first: `run`. From it: `refused`. To the keeper. attach: with the bytes that the client has. end: of the
 * input. received: output has arrived. done: the client knows how the program ended. close: the client left for good.
 * From the keeper. from: where the outputs continue. taken: bytes of input have been written. output, errors: of the
 * program. exit: after all output.
 */
const kinds = [
  'run',
  'refused',
  'attach',
  'stdin',
  'end',
  'resize',
  'signal',
  'received',
  'done',
  'close',
  'from',
  'taken',
  'output',
  'errors',
  'exit',
] as const
export type Kind = (typeof kinds)[number]
export type Frame = { readonly kind: Kind; readonly bytes: Buffer }

const headBytes = 5
/** Longer ones do not come from us. */
const mostBytes = 16 * 1024 * 1024

export const frameOf = (kind: Kind, bytes: Buffer | string = ''): Buffer => {
  const body = Buffer.from(bytes)
  const head = Buffer.alloc(headBytes)
  head.writeUInt8(kinds.indexOf(kind), 0)
  head.writeUInt32BE(body.length, 1)
  return Buffer.concat([head, body])
}

/** Returns the complete frames so far; `undefined` when these are no frames. */
export const frameReader = (): ((chunk: Buffer) => ReadonlyArray<Frame> | undefined) => {
  let held: Buffer = Buffer.alloc(0)
  return (chunk) => {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk])
    const frames: Array<Frame> = []
    while (held.length >= headBytes) {
      const length = held.readUInt32BE(1)
      const kind = kinds[held.readUInt8(0)]
      if (kind === undefined || length > mostBytes) return undefined
      const end = headBytes + length
      if (held.length < end) break
      frames.push({ kind, bytes: held.subarray(headBytes, end) })
      held = held.subarray(end)
    }
    return frames
  }
}
