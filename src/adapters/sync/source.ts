/** Contents for acts that wait for their turn: some small files are read in advance. */
import type { Content } from './content.ts'

/** Larger files are read when it is their turn, in parts. */
const smallBytes = 256 * 1024
const mostAhead = 32

async function* nothing(): Content {}

/** Ends early instead of failing: the writer compares the hash. */
async function* quiet(content: Content): Content {
  try {
    yield* content
  } catch {
    // The writer notices that the content is incomplete.
  }
}

/** Reads at most one part more than `size`: the sender is not trusted. */
const whole = async (content: Content, size: number): Promise<ReadonlyArray<Uint8Array>> => {
  const parts: Array<Uint8Array> = []
  let held = 0
  for await (const part of quiet(content)) {
    parts.push(part)
    held += part.length
    if (held > size) break
  }
  return parts
}

async function* later(parts: Promise<ReadonlyArray<Uint8Array>>): Content {
  yield* await parts
}

type Waiting = { readonly content: Content; readonly size: number; read?: Content }

export type ReadAhead = {
  /**
   * Queues a content; the returned function yields it when it is its turn. The functions have to be called in order.
   */
  readonly queue: (content: Content | undefined, size: number) => () => Content
}

export const readAhead = (): ReadAhead => {
  const waiting: Array<Waiting> = []
  const begin = (): void => {
    for (const one of waiting.slice(0, mostAhead)) {
      if (one.size <= smallBytes) one.read ??= later(whole(one.content, one.size))
    }
  }
  return {
    queue: (content, size) => {
      if (content === undefined) return nothing
      const one: Waiting = { content, size }
      waiting.push(one)
      begin()
      return () => {
        // All contents before it have been requested.
        waiting.splice(0, waiting.indexOf(one) + 1)
        begin()
        return one.read ?? quiet(content)
      }
    },
  }
}
