/**
 * Wraps a stream for Node's HTTP/2, which fails an assertion when it writes to a stream other than a socket after the
 * peer ended it: this wrapper never ends, it is destroyed.
 */
import { Duplex } from 'node:stream'

const whenReady = (inner: Duplex, isReady: boolean, done: () => void): void => {
  if (isReady) return done()
  const go = (): void => {
    inner.off('drain', go)
    inner.off('close', go)
    done()
  }
  inner.on('drain', go)
  inner.on('close', go)
}

/**
 * `read` transforms incoming data, or returns an error for data it cannot. The wrapper is destroyed together with the
 * stream.
 */
export const pipeOver = (inner: Duplex, read: (chunk: Buffer) => ReadonlyArray<Buffer> | Error): Duplex => {
  const outer = new Duplex({
    read: () => {
      inner.resume()
    },
    write: (chunk: Buffer, _encoding, done) => whenReady(inner, inner.destroyed || inner.write(chunk), done),
    writev: (chunks, done) => {
      if (inner.destroyed) return done()
      inner.cork()
      let isReady = true
      for (const { chunk } of chunks) isReady = inner.write(chunk)
      inner.uncork()
      whenReady(inner, isReady, done)
    },
    final: (done) => {
      inner.end()
      done()
    },
    destroy: (cause, done) => {
      inner.destroy()
      done(cause)
    },
  })
  // There may be no listener yet, or no longer.
  outer.on('error', () => {})
  inner.on('data', (chunk: Buffer) => {
    const parts = read(chunk)
    if (parts instanceof Error) return outer.destroy(parts)
    for (const part of parts) if (!outer.push(part)) inner.pause()
  })
  inner.on('end', () => outer.destroy())
  inner.on('error', (cause) => outer.destroy(cause))
  inner.on('close', () => outer.destroy())
  return outer
}

/** Passes bytes on unchanged. */
export const neverEnding = (inner: Duplex): Duplex => pipeOver(inner, (chunk) => [chunk])
