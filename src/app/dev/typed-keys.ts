/** Remembers the latest input, since bytes sent over a lost connection may not have arrived. */

/** More than is ever on its way. */
const mostBytes = 256 * 1024

export type TypedKeys = {
  /** Input that is also sent; the oldest is forgotten. */
  readonly send: (chunk: Buffer) => void
  /** Input without a connection; beyond the limit it is rejected. */
  readonly keep: (chunk: Buffer) => void
  /** The input after the first `taken` bytes. */
  readonly after: (taken: number) => ReadonlyArray<Buffer>
}

export const typedKeys = (): TypedKeys => {
  const chunks: Array<Buffer> = []
  let [begin, end] = [0, 0]
  const add = (chunk: Buffer): void => {
    chunks.push(chunk)
    end += chunk.length
  }
  const forget = (until: number): void => {
    let first = chunks[0]
    while (first !== undefined && begin + first.length <= until) {
      begin += first.length
      chunks.shift()
      first = chunks[0]
    }
  }
  return {
    send: (chunk) => {
      add(chunk)
      forget(end - mostBytes)
    },
    keep: (chunk) => {
      if (end - begin + chunk.length <= mostBytes) add(chunk)
    },
    after: (taken) => {
      forget(taken)
      const rest = Buffer.concat(chunks).subarray(Math.max(0, taken - begin))
      return rest.length === 0 ? [] : [rest]
    },
  }
}
