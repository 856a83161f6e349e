/** The port `Console` in memory. */
import { PassThrough } from 'node:stream'
import type { Console, ConsoleTerminal } from '../../src/ports/console.ts'

/**
 * `shown`: what is on stdout. `resize` changes the size of the terminal, if there is one. `raws`: how raw mode was
 * ended.
 */
export type MemoryConsole = Console & {
  readonly keys: PassThrough
  readonly shown: () => string
  readonly errors: () => string
  readonly said: ReadonlyArray<string>
  readonly resize: (columns: number, rows: number) => void
  readonly raws: ReadonlyArray<'Raw' | 'Restored' | 'CutOff'>
}

const collector = () => {
  const stream = new PassThrough()
  let text = ''
  stream.on('data', (chunk: Buffer) => {
    text += chunk.toString()
  })
  return { stream, text: () => text }
}

export const memoryConsole = (terminal?: ConsoleTerminal): MemoryConsole => {
  const [keys, out, err] = [new PassThrough(), collector(), collector()]
  const listeners = new Set<() => void>()
  const raws: Array<'Raw' | 'Restored' | 'CutOff'> = []
  const said: Array<string> = []
  let size = terminal
  return {
    keys,
    stdin: () => keys,
    stdout: () => out.stream,
    stderr: () => err.stream,
    shown: out.text,
    errors: err.text,
    said,
    setFullScreen: () => {},
    say: (text) => void said.push(text),
    terminal: () => size,
    onResize: (f) => {
      listeners.add(f)
      return () => void listeners.delete(f)
    },
    resize: (columns, rows) => {
      if (size !== undefined) size = { ...size, columns, rows }
      for (const f of listeners) f()
    },
    raws,
    raw: () => {
      raws.push('Raw')
      return (isCutOff) => void raws.push(isCutOff ? 'CutOff' : 'Restored')
    },
  }
}
