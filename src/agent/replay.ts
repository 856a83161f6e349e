/** The last part of an output, for a client that comes back and says how much it has received. */

/** Bytes that are kept of each output. */
const kept = 256 * 1024

export type Replay = {
  readonly add: (chunk: Buffer) => void
  /** What follows the first `received` bytes; `from` is larger when some of it is no longer there. */
  readonly since: (received: number) => { readonly from: number; readonly bytes: Buffer }
}

export const replayOf = (): Replay => {
  let chunks: Array<Buffer> = []
  let [begin, end] = [0, 0]
  return {
    add: (chunk) => {
      chunks.push(chunk)
      end += chunk.length
      let first = chunks[0]
      while (first !== undefined && end - begin - first.length >= kept) {
        begin += first.length
        chunks.shift()
        first = chunks[0]
      }
    },
    since: (received) => {
      const all = Buffer.concat(chunks)
      chunks = [all]
      const from = Math.min(Math.max(received, begin), end)
      return { from, bytes: all.subarray(from - begin) }
    },
  }
}
