/** Streams: who may have colours, and writing that is complete before it ends. */
import type { Writable } from 'node:stream'

type Environment = Readonly<Record<string, string | undefined>>

/** FORCE_COLOR wins over NO_COLOR (https://no-color.org), both over what the stream is. */
export const hasColor = (env: Environment, isTerminal: boolean): boolean => {
  const force = env['FORCE_COLOR']
  if (force !== undefined && force !== '') return force !== '0' && force !== 'false'
  if ((env['NO_COLOR'] ?? '') !== '' || env['TERM'] === 'dumb') return false
  return isTerminal && (env['CI'] ?? '') === ''
}

/** `Closed`: nobody reads any more (`| head`), which is no fault. */
export type WriteResult =
  | { readonly _tag: 'Done' }
  | { readonly _tag: 'Closed' }
  | { readonly _tag: 'Failed'; readonly code: string }

const closed: ReadonlySet<string> = new Set(['EPIPE', 'EOF', 'ERR_STREAM_DESTROYED'])

/** Ends when the text has left. */
export const write = (stream: Writable, text: string): Promise<WriteResult> =>
  new Promise((resolve) => {
    if (text === '') return resolve({ _tag: 'Done' })
    stream.write(text, (cause) => {
      if (cause === null || cause === undefined) return resolve({ _tag: 'Done' })
      const code = 'code' in cause ? String(cause.code) : cause.message
      resolve(closed.has(code) ? { _tag: 'Closed' } : { _tag: 'Failed', code })
    })
  })

/** Piece by piece, each when the one before has left; stops at the first that cannot be written. */
export const writeAll = async (stream: Writable, pieces: Iterable<string>): Promise<WriteResult> => {
  for (const piece of pieces) {
    const written = await write(stream, piece)
    if (written._tag !== 'Done') return written
  }
  return { _tag: 'Done' }
}
