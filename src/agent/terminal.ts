/**
 * Programs with a terminal, by the native part of node-pty alone: its JavaScript loses the last output of programs that
 * end quickly. We hold the terminal open ourselves and write a mark when the program has ended; what precedes the mark
 * is its output.
 */
import { randomBytes } from 'node:crypto'
import { closeSync, constants as files, openSync, write, writeSync } from 'node:fs'
import { constants } from 'node:os'
import { PassThrough, Writable } from 'node:stream'
import { ReadStream } from 'node:tty'
import type { ProgramExit } from '../adapters/ssh/channel.ts'
import { signalGroup } from './pipes.ts'
import type { ProgramRequest, Running, Size } from './running.ts'

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

const sameUser = -1
const retryMs = 5
/** How long the mark may take: a terminal that was stopped by Ctrl-S does not show it. */
const markMs = 2_000

const signalName = (number: number): string =>
  Object.entries(constants.signals)
    .find(([, value]) => value === number)?.[0]
    .slice(3) ?? String(number)

const exitOf = (code: number, signal: number): ProgramExit => (signal === 0 ? { code } : { signal: signalName(signal) })

const isBusy = (failure: NodeJS.ErrnoException | null): boolean => failure?.code === 'EAGAIN'

/** Its buffer is full while nobody reads the output. */
const writeWhatFits = (fd: number, bytes: Buffer): number => {
  try {
    return writeSync(fd, bytes)
  } catch {
    return 0
  }
}

/** The terminal is not blocking: a program that does not read makes it busy. */
const inputOf = (fd: number): Writable => {
  const send = (bytes: Buffer, done: (failure?: Error | null) => void): void =>
    write(fd, bytes, (failure, count) => {
      if (isBusy(failure)) setTimeout(() => send(bytes, done), retryMs)
      else if (failure !== null || count === bytes.length) done(failure)
      else send(bytes.subarray(count), done)
    })
  const stream = new Writable({ write: (chunk: Buffer, _encoding, done) => send(chunk, done) })
  stream.on('error', () => {})
  return stream
}

/** Passes on what comes before the mark; `found` is called when the mark has come. */
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
    // The mark begins with a byte that hardly any other output has.
    const first = bytes.indexOf(mark.readUInt8(0), Math.max(0, bytes.length - mark.length + 1))
    held = first < 0 ? Buffer.alloc(0) : bytes.subarray(first)
    return first === 0 || output.write(first < 0 ? bytes : bytes.subarray(0, first))
  }
}

export const runWithTerminal = (
  native: NativePty,
  { argv, environment, folder }: ProgramRequest,
  { columns, rows }: Size,
): Running => {
  const [file = '', ...args] = argv
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`)
  const mark = Buffer.from(`\0devtool:${randomBytes(12).toString('hex')}\0`, 'latin1')
  const output = new PassThrough({ highWaterMark: 64 * 1024 })
  let ended: ProgramExit | undefined
  let tell = (_exit: ProgramExit): void => {}
  const exit = new Promise<ProgramExit>((resolve) => {
    tell = resolve
  })

  const { fd, pid, pty } = native.fork(
    file,
    args,
    variables,
    folder,
    columns,
    rows,
    sameUser,
    sameUser,
    true,
    '',
    (code, signal) => {
      ended = exitOf(code, signal)
      markEnd()
    },
  )
  // Held until the mark has come, since a terminal that nobody holds discards what was not read.
  const held = openSync(pty, files.O_RDWR | files.O_NOCTTY | files.O_NONBLOCK)
  let isFinished = false
  const markEnd = (left: Buffer = mark): void => {
    const rest = left.subarray(writeWhatFits(held, left))
    if (rest.length > 0 && !isFinished) setTimeout(() => markEnd(rest), retryMs)
  }
  const reader = new ReadStream(fd)
  const finish = (): void => {
    if (isFinished) return
    isFinished = true
    clearInterval(waiting)
    output.end()
    reader.destroy()
    closeSync(held)
    tell(ended ?? { code: 0 })
  }
  let silentMs = 0
  const waiting = setInterval(() => {
    silentMs = ended === undefined || reader.isPaused() ? 0 : silentMs + markMs / 4
    if (silentMs >= markMs) finish()
  }, markMs / 4)
  const take = untilMark(mark, output, finish)
  reader.on('data', (chunk: Buffer) => {
    silentMs = 0
    if (take(chunk)) return
    reader.pause()
    output.once('drain', () => reader.resume())
  })
  reader.on('error', () => {})
  const stderr = new PassThrough()
  stderr.end()
  return {
    stdin: inputOf(fd),
    stdout: output,
    stderr,
    resize: (size) => {
      if (ended === undefined) native.resize(fd, size.columns, size.rows)
    },
    signal: (name) => {
      if (ended === undefined) signalGroup(pid, name)
    },
    exit,
  }
}
