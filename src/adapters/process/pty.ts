/**
 * Programs with a terminal, by the native part of node-pty alone: its JavaScript loses the last output of programs that
 * end quickly. The terminal is held open here and a mark is written when the program has ended; everything before the
 * mark is its output.
 */
import { randomBytes } from 'node:crypto'
import { closeSync, constants, openSync, write, writeSync } from 'node:fs'
import { PassThrough, type Readable, Writable } from 'node:stream'
import { ReadStream } from 'node:tty'
import type { Clock } from '../../ports/clock.ts'
import type { TerminalSize } from '../../ports/commands.ts'
import type { Exit } from './child.ts'
import { onceQuiet } from './quiet.ts'

/** lib/unix of node-pty 1.1, and src/unix/pty.cc. */
export type NativePty = {
  readonly fork: (
    file: string,
    args: ReadonlyArray<string>,
    environment: ReadonlyArray<string>,
    folder: string,
    columns: number,
    rows: number,
    uid: number,
    gid: number,
    isUtf8: boolean,
    helper: string,
    exited: (code: number, signal: number) => void,
  ) => { readonly fd: number; readonly pid: number; readonly pty: string }
  readonly resize: (fd: number, columns: number, rows: number) => void
}

/** `helper`: a program of node-pty, needed on macOS only. */
type PtyRequest = {
  readonly argv: ReadonlyArray<string>
  readonly folder: string
  readonly environment: ReadonlyMap<string, string>
  readonly helper?: string
}

/** `pid` is also that of the process group. */
type Pty = {
  readonly pid: number
  readonly input: Writable
  /** Has to be read, or the exit is never known. */
  readonly output: Readable
  /** Afterwards its pid may belong to another program. */
  readonly hasEnded: () => boolean
  /** Does nothing when the program has ended. */
  readonly resize: (size: TerminalSize) => void
  /** Once all output has been read. What processes in the background print later is lost. */
  readonly exit: Promise<Exit>
}

const sameUser = -1
const retryMs = 5
/** How long the mark may take: a terminal that was stopped by Ctrl-S does not show it. */
const markMs = 2_000
const mostHeld = 64 * 1024

const isBusy = (failure: NodeJS.ErrnoException | null): boolean => failure?.code === 'EAGAIN'

/** The buffer of the terminal is full while nobody reads the output. */
const writeWhatFits = (fd: number, bytes: Buffer): number => {
  try {
    return writeSync(fd, bytes)
  } catch {
    return 0
  }
}

/** The terminal is non-blocking: writing fails with EAGAIN while the program does not read. */
const inputOf = (fd: number, { after }: Pick<Clock, 'after'>): Writable => {
  const send = (bytes: Buffer, done: (failure?: Error | null) => void): void =>
    write(fd, bytes, (failure, count) => {
      if (isBusy(failure)) after(retryMs, () => send(bytes, done))
      else if (failure !== null || count === bytes.length) done(failure)
      else send(bytes.subarray(count), done)
    })
  const stream = new Writable({ write: (chunk: Buffer, _encoding, done) => send(chunk, done) })
  stream.on('error', () => {})
  return stream
}

/** Capital letters pass through every mode of a terminal; the first byte is rare in output. */
const newMark = (): Buffer => Buffer.from(`\0DEVTOOL:${randomBytes(12).toString('hex').toUpperCase()}\0`, 'latin1')

/** Passes on everything before the mark; `found` is called when the mark has arrived. */
const untilMark = (mark: Buffer, output: PassThrough, found: () => void): ((chunk: Buffer) => boolean) => {
  let held: Buffer = Buffer.alloc(0)
  return (chunk) => {
    const bytes = held.length === 0 ? chunk : Buffer.concat([held, chunk])
    const end = bytes.indexOf(mark)
    if (end >= 0) {
      output.write(bytes.subarray(0, end))
      found()
      return true
    }
    const first = bytes.indexOf(mark.readUInt8(0), Math.max(0, bytes.length - mark.length + 1))
    held = first < 0 ? Buffer.alloc(0) : bytes.subarray(first)
    return first === 0 || output.write(first < 0 ? bytes : bytes.subarray(0, first))
  }
}

/** Throws when no terminal is available. */
export const startWithPty = (
  { native, clock }: { readonly native: NativePty; readonly clock: Pick<Clock, 'after'> },
  { argv: [file = '', ...args], environment, folder, helper = '' }: PtyRequest,
  { columns, rows }: TerminalSize,
): Pty => {
  const variables = [...environment].map(([name, value]) => `${name}=${value}`)
  const output = new PassThrough({ highWaterMark: mostHeld })
  let ended: Exit | undefined
  let isFinished = false
  const exited = (code: number, signal: number): void => {
    ended = { code, signal }
    quiet.wait()
    markEnd(mark)
  }
  const mark = newMark()
  const started = native.fork(file, args, variables, folder, columns, rows, sameUser, sameUser, true, helper, exited)
  const { fd, pid, pty } = started
  // Held open until the mark has come: a terminal that no process has open discards unread output.
  const held = openSync(pty, constants.O_RDWR | constants.O_NOCTTY | constants.O_NONBLOCK)
  const markEnd = (left: Buffer): void => {
    if (isFinished) return
    const rest = left.subarray(writeWhatFits(held, left))
    if (rest.length > 0) clock.after(retryMs, () => markEnd(rest))
  }
  const reader = new ReadStream(fd)
  const finish = (): void => {
    if (isFinished) return
    isFinished = true
    quiet.stop()
    output.end()
    reader.destroy()
    closeSync(held)
  }
  // While nobody reads the output, the mark cannot arrive.
  const quiet = onceQuiet(clock, markMs, () => (reader.isPaused() ? quiet.wait() : finish()))
  const take = untilMark(mark, output, finish)
  reader.on('data', (chunk: Buffer) => {
    if (ended !== undefined) quiet.wait()
    if (take(chunk) || isFinished) return
    reader.pause()
    output.once('drain', () => reader.resume())
  })
  reader.on('error', () => {})
  const exit = new Promise<Exit>((resolve) => {
    output.once('end', () => resolve(ended ?? { code: 0, signal: 0 }))
  })
  const resize = (size: TerminalSize): void => {
    if (ended === undefined) native.resize(fd, size.columns, size.rows)
  }
  return { pid, hasEnded: () => ended !== undefined, input: inputOf(fd, clock), output, resize, exit }
}
