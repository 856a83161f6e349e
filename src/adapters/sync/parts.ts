/** A queue of bytes between a producer and a consumer; the producer waits while too many are queued. */

export type Parts = AsyncIterable<Uint8Array> & {
  readonly push: (part: Uint8Array) => Promise<void>
  /** Called by the producer: no more bytes will come. */
  readonly end: () => void
  /** Called by the consumer: no more bytes are wanted. */
  readonly discard: () => void
}

const mostHeld = 4 * 1024 * 1024

export const newParts = (): Parts => {
  const state: { held: Array<Uint8Array>; size: number; hasEnded: boolean; isDiscarded: boolean } = {
    held: [],
    size: 0,
    hasEnded: false,
    isDiscarded: false,
  }
  let waiting: ReadonlyArray<() => void> = []
  const changed = (): Promise<void> =>
    new Promise((resolve) => {
      waiting = [...waiting, resolve]
    })
  const tell = (): void => {
    const all = waiting
    waiting = []
    for (const wake of all) wake()
  }
  const discard = (): void => {
    state.isDiscarded = true
    state.held = []
    tell()
  }
  async function* take(): AsyncGenerator<Uint8Array, void> {
    try {
      while (!state.isDiscarded) {
        const part = state.held.shift()
        if (part !== undefined) {
          state.size -= part.length
          tell()
          yield part
        } else if (state.hasEnded) return
        else await changed()
      }
    } finally {
      discard()
    }
  }
  return {
    push: async (part) => {
      if (state.isDiscarded) return
      state.held.push(part)
      state.size += part.length
      tell()
      while (state.size > mostHeld && !state.isDiscarded) await changed()
    },
    end: () => {
      state.hasEnded = true
      tell()
    },
    discard,
    [Symbol.asyncIterator]: take,
  }
}
