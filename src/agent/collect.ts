/**
 * Collects garbage earlier than V8, which lets 30 MB of buffers pile up; in glibc's heap, most of that is kept for good.
 * Node needs `--expose-gc`.
 */
import type { Duplex } from 'node:stream'

/** After so many bytes, the buffers that held them. */
const youngBytes = 2 * 1024 * 1024
/** After so many, and some time, what has outlived that as well. */
const oldBytes = 64 * 1024
const oldMs = 10_000

let [young, old] = [0, 0]
let later: NodeJS.Timeout | undefined

const collect = (): void => {
  later = undefined
  old = 0
  globalThis.gc?.()
}

/** To be called with all that is read or written. */
export const passed = (bytes: number): void => {
  young += bytes
  old += bytes
  if (young >= youngBytes) {
    young = 0
    globalThis.gc?.({ type: 'minor' })
  }
  if (old >= oldBytes) later ??= setTimeout(collect, oldMs).unref()
}

export const collecting = <D extends Duplex>(connection: D): D => {
  const write: Duplex['write'] = connection.write.bind(connection)
  connection.on('data', ({ length }: Buffer) => passed(length))
  const counted = (...parts: Parameters<Duplex['write']>): boolean => {
    const [chunk] = parts
    passed(chunk.length)
    return write(...parts)
  }
  return Object.assign(connection, { write: counted })
}
