/** Output: colours, the size of a terminal, and printing that is complete when it returns. */
import type { Writable } from 'node:stream'
import type { TerminalSize } from '../ports/commands.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** FORCE_COLOR takes precedence over NO_COLOR (https://no-color.org), and both over the kind of stream. */
export const hasColor = (env: Environment, isTerminal: boolean): boolean => {
  const force = env['FORCE_COLOR']
  if (force !== undefined && force !== '') return force !== '0' && force !== 'false'
  if ((env['NO_COLOR'] ?? '') !== '' || env['TERM'] === 'dumb') return false
  return isTerminal && (env['CI'] ?? '') === ''
}

export const sizeOf = ({ columns = 0, rows = 0 }: Partial<TerminalSize>): TerminalSize => ({
  columns: columns > 0 ? columns : 80,
  rows: rows > 0 ? rows : 24,
})

/** `Closed`: the reader has gone (`| head`), which is no error. */
export type WriteResult =
  | { readonly _tag: 'Done' }
  | { readonly _tag: 'Closed' }
  | { readonly _tag: 'Failed'; readonly code: string }

const closed: ReadonlySet<string> = new Set(['EPIPE', 'EOF', 'ERR_STREAM_DESTROYED'])

/** Resolves when the text has been written. */
export type Print = (text: string) => Promise<WriteResult>

export const resultOf = (cause: Error | null | undefined): WriteResult => {
  if (cause === null || cause === undefined) return { _tag: 'Done' }
  const code = 'code' in cause ? String(cause.code) : cause.message
  return closed.has(code) ? { _tag: 'Closed' } : { _tag: 'Failed', code }
}

export const toStream =
  (stream: Writable) =>
  (text: string | Uint8Array): Promise<WriteResult> =>
    new Promise((resolve) => {
      if (text.length === 0) resolve({ _tag: 'Done' })
      else stream.write(text, (cause) => resolve(resultOf(cause)))
    })

/** Prints one piece after the other; stops at the first that cannot be written. */
export const printAll = async (print: Print, pieces: Iterable<string>): Promise<WriteResult> => {
  for (const piece of pieces) {
    const written = await print(piece)
    if (written._tag !== 'Done') return written
  }
  return { _tag: 'Done' }
}
