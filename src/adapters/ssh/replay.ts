/** The last part of an output, for a client that comes back and says how much it has received. */

export type Replay = {
  readonly add: (chunk: Buffer) => void
  /** What follows the first `received` bytes; `from` is larger when some of it is no longer there. */
  readonly since: (received: number) => { readonly from: number; readonly bytes: Buffer }
  /** Keeps what follows the first `offset` bytes, and little more. */
  readonly forget: (offset: number) => void
  /** The bytes of all output. */
  readonly end: () => number
}

export const replayOf = (): Replay => {
  let chunks: Array<Buffer> = []
  let [begin, end] = [0, 0]
  return {
    add: (chunk) => {
      chunks.push(chunk)
      end += chunk.length
    },
    since: (received) => {
      const all = Buffer.concat(chunks)
      chunks = [all]
      const from = Math.min(Math.max(received, begin), end)
      return { from, bytes: all.subarray(from - begin) }
    },
    forget: (offset) => {
      let first = chunks[0]
      while (first !== undefined && begin + first.length <= offset) {
        begin += first.length
        chunks.shift()
        first = chunks[0]
      }
    },
    end: () => end,
  }
}
