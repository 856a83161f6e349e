/** Sources that several read at the same time: each runs once, and as long as somebody reads it. */

type Reader<A> = { readonly take: (item: A) => void; readonly end: (cause?: unknown) => void }
type Source<A> = { readonly readers: Set<Reader<A>>; readonly past: Array<A>; readonly stop: () => void }

/**
 * `isFirst`: the source begins with this reader. `items`: the last ones that others have read, and what comes from now
 * on, until the source or the reader ends; also once too much waits for a slow reader. `leave` has to be called.
 */
type Joined<A> = {
  readonly isFirst: boolean
  readonly items: (signal: AbortSignal) => AsyncIterable<A>
  readonly leave: () => void
}

export type Shared<A> = (key: string, open: (signal: AbortSignal) => AsyncIterable<A>) => Joined<A>

/** `most`: items that are kept for later readers, and that may wait for a reader. */
export const shared = <A>(most = 2000): Shared<A> => {
  const sources = new Map<string, Source<A>>()

  const begin = (key: string, open: Parameters<Shared<A>>[1]): Source<A> => {
    const stopped = new AbortController()
    const source: Source<A> = { readers: new Set(), past: [], stop: () => stopped.abort() }
    const gone = (): void => {
      if (sources.get(key) === source) sources.delete(key)
    }
    const pass = async (): Promise<void> => {
      let broken: unknown
      try {
        for await (const item of open(stopped.signal)) {
          if (source.past.push(item) >= 2 * most) source.past.splice(0, most)
          for (const reader of source.readers) reader.take(item)
        }
      } catch (cause) {
        broken = cause
      }
      gone()
      for (const reader of source.readers) reader.end(broken)
    }
    stopped.signal.addEventListener('abort', gone, { once: true })
    sources.set(key, source)
    void pass()
    return source
  }

  return (key, open) => {
    const there = sources.get(key)
    const source = there ?? begin(key, open)
    let waiting = [...source.past]
    let [isOver, broken, wake]: [boolean, unknown, () => void] = [false, undefined, () => {}]
    const reader: Reader<A> = {
      take: (item) => {
        if (waiting.length < 3 * most) waiting.push(item)
        else leave()
        wake()
      },
      end: (cause) => {
        isOver = true
        broken = cause
        wake()
      },
    }
    const leave = (): void => {
      isOver = true
      source.readers.delete(reader)
      if (source.readers.size === 0) source.stop()
    }
    source.readers.add(reader)
    const items = async function* read(signal: AbortSignal): AsyncGenerator<A> {
      const stop = (): void => wake()
      signal.addEventListener('abort', stop, { once: true })
      try {
        for (;;) {
          const now = waiting
          waiting = []
          yield* now
          if (waiting.length > 0) continue
          if (broken !== undefined) throw broken
          if (isOver || signal.aborted) return
          await new Promise<void>((resolve) => {
            wake = resolve
          })
        }
      } finally {
        signal.removeEventListener('abort', stop)
      }
    }
    return { isFirst: there === undefined, items, leave }
  }
}
