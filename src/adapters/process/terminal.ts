/**
 * A child process with a pseudo-terminal. Only the native part of node-pty is used: its stream takes the hang-up after
 * a short-lived child for the end and loses output. Here the slave side is held open, so there is no hang-up; after the
 * child has ended a marker is written to it, and everything before the marker is the output.
 */
import { randomBytes } from 'node:crypto'
import { close, constants, openSync, realpathSync, write } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { StringDecoder } from 'node:string_decoder'
import { ReadStream } from 'node:tty'
import type { Clock } from '../../ports/clock.ts'
import type { TerminalSize } from '../../ports/commands.ts'
import type { Child, Exit, Start } from './child.ts'

type Native = {
  readonly fork: (
    file: string,
    args: ReadonlyArray<string>,
    env: ReadonlyArray<string>,
    folder: string,
    columns: number,
    rows: number,
    uid: number,
    gid: number,
    isUtf8: boolean,
    helper: string,
    onExit: (code: number, signal: number) => void,
  ) => { readonly fd: number; readonly pid: number; readonly pty: string }
  readonly resize: (fd: number, columns: number, rows: number) => void
}

/** Starts a child with a terminal. Throws when none is available. */
export type Terminals = (start: Start, size: TerminalSize) => Child

/** How long to wait for the marker, which does not come when somebody has stopped the output. */
const silenceMs = 2_000

const collect = (fd: number, onOutput: (text: string) => void, mark: Buffer, clock: Pick<Clock, 'after'>) => {
  const master = new ReadStream(fd)
  const decoder = new StringDecoder('utf8')
  let held = Buffer.alloc(0)
  let finish: (() => void) | undefined
  let stopWaiting = (): void => {}
  const emit = (bytes: Buffer): void => {
    const text = decoder.write(bytes)
    if (text !== '') onOutput(text)
  }
  const end = (): void => {
    stopWaiting()
    master.destroy()
    const rest = decoder.end()
    if (rest !== '') onOutput(rest)
    finish?.()
  }
  const waitAgain = (): void => {
    stopWaiting()
    stopWaiting = clock.after(silenceMs, end)
  }
  master.on('data', (chunk: Buffer) => {
    if (finish === undefined) return emit(chunk)
    waitAgain()
    held = Buffer.concat([held, chunk])
    const at = held.indexOf(mark)
    // Output behind the marker is from background processes.
    const sure = at === -1 ? Math.max(0, held.length - mark.length + 1) : at
    emit(held.subarray(0, sure))
    held = held.subarray(sure)
    if (at !== -1) end()
  })
  master.on('error', () => end())
  const untilMark = (): Promise<void> =>
    new Promise((resolve) => {
      finish = resolve
      waitAgain()
      if (master.destroyed) end()
    })
  return { untilMark, isOpen: () => !master.destroyed }
}

const startIn =
  (native: Native, helper: string, clock: Pick<Clock, 'after'>): Terminals =>
  ({ args, env, file, folder, onOutput }, { columns, rows }) => {
    let exited: (exit: Exit) => void = () => {}
    const exit = new Promise<Exit>((resolve) => {
      exited = resolve
    })
    const pairs = [...env].map(([name, value]) => `${name}=${value}`)
    const onExit = (code: number, signal: number): void => exited({ code, signal })
    const { fd, pid, pty } = native.fork(file, args, pairs, folder, columns, rows, -1, -1, true, helper, onExit)
    const slave = openSync(pty, constants.O_RDWR | constants.O_NOCTTY)
    // Letters only, which no terminal mode changes.
    const mark = Buffer.from(randomBytes(16).toString('hex'))
    const output = collect(fd, onOutput, mark, clock)
    const ended = exit.then(async (how) => {
      const marked = output.untilMark()
      // Blocks a thread while the terminal is full; the reader empties it meanwhile.
      write(slave, mark, () => {})
      await marked
      // Not earlier: closing the last descriptor causes the hang-up.
      close(slave, () => {})
      return how
    })
    const resize = (width: number, height: number): void => {
      try {
        if (output.isOpen()) native.resize(fd, width, height)
      } catch {
        // The child has ended in the meantime.
      }
    }
    return { pid, ended, resize }
  }

type Loaded = { readonly dir: string; readonly module: Native }
type Loader = { readonly loadNativeModule: (name: string) => Loaded }

/** `undefined` when node-pty is not installed, not compiled, or works differently (Windows). */
export const loadTerminals = (clock: Pick<Clock, 'after'>): Terminals | undefined => {
  if (process.platform === 'win32') return undefined
  try {
    // Resolved from the running program, which works for a bundle as well as for the sources.
    const load = createRequire(realpathSync(process.argv[1] ?? ''))
    const path = load.resolve('node-pty/lib/utils.js')
    const loader: Loader = load(path)
    const { dir, module } = loader.loadNativeModule('pty')
    return startIn(module, join(dirname(path), dir, 'spawn-helper'), clock)
  } catch {
    return undefined
  }
}
