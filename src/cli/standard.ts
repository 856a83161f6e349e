/**
 * The standard streams of this process. Node takes longer to open one, or to ask whether it is a terminal, than to
 * translate a small project: neither is done before it is needed.
 */
import { fstatSync, statSync, writeSync } from 'node:fs'
import { devNull } from 'node:os'
import type { Writable } from 'node:stream'
import { type Print, resultOf, toStream } from './terminal.ts'

/** `isWritten`: whether nothing waits for a slow reader. */
type Standard<S> = { readonly open: () => S; readonly print: Print; readonly isWritten: () => boolean }

/**
 * Text is written directly to the descriptor while the stream is not open. `mayBlock`: a slow reader may be waited for.
 */
export const standard = <S extends Writable>(fd: number, stream: () => S, mayBlock: () => boolean): Standard<S> => {
  let opened: S | undefined
  const open = (): S => {
    // Each write reports a reader that has gone (`| head`); without a listener the error event would crash the process.
    opened ??= stream().on('error', () => {})
    return opened
  }
  const print: Print = async (text) => {
    // Consoles of Windows need another encoding.
    if (opened !== undefined || !mayBlock() || process.platform === 'win32') return toStream(open())(text)
    const bytes = Buffer.from(text)
    let at = 0
    try {
      while (at < bytes.length) at += writeSync(fd, bytes, at)
      return resultOf(undefined)
    } catch (cause) {
      if (!(cause instanceof Error)) throw cause
      const isFull = 'code' in cause && cause.code === 'EAGAIN'
      return isFull ? toStream(open())(bytes.subarray(at)) : resultOf(cause)
    }
  }
  return { open, print, isWritten: () => (opened?.writableLength ?? 0) === 0 }
}

export const isTerminal = (fd: number): boolean => {
  try {
    const stat = fstatSync(fd)
    if (!stat.isCharacterDevice() || stat.rdev === statSync(devNull).rdev) return false
  } catch {}
  return process.getBuiltinModule('node:tty').isatty(fd)
}
