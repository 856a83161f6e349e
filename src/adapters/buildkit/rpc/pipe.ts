/**
 * A pipe in front of another one, for HTTP/2 of Node, which fails an assertion when it writes to a pipe that is no socket
 * after the other side has ended it: this one never ends, it is destroyed.
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

/** `read` changes what comes in; what it cannot, it answers with an error. The pipe is destroyed with the other one. */
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
  // Nobody may listen yet, or any more.
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

/** The same bytes. */
export const neverEnding = (inner: Duplex): Duplex => pipeOver(inner, (chunk) => [chunk])
