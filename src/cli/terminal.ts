/** Output streams: colours, and writing that is complete before it returns. */
import type { Writable } from 'node:stream'

type Environment = Readonly<Record<string, string | undefined>>

/** FORCE_COLOR takes precedence over NO_COLOR (https://no-color.org), and both over the kind of stream. */
export const hasColor = (env: Environment, isTerminal: boolean): boolean => {
  const force = env['FORCE_COLOR']
  if (force !== undefined && force !== '') return force !== '0' && force !== 'false'
  if ((env['NO_COLOR'] ?? '') !== '' || env['TERM'] === 'dumb') return false
  return isTerminal && (env['CI'] ?? '') === ''
}

/** `Closed`: the reader has gone (`| head`), which is no error. */
export type WriteResult =
  | { readonly _tag: 'Done' }
  | { readonly _tag: 'Closed' }
  | { readonly _tag: 'Failed'; readonly code: string }

const closed: ReadonlySet<string> = new Set(['EPIPE', 'EOF', 'ERR_STREAM_DESTROYED'])

/** Resolves when the text has been written. */
export const write = (stream: Writable, text: string): Promise<WriteResult> =>
  new Promise((resolve) => {
    if (text === '') return resolve({ _tag: 'Done' })
    stream.write(text, (cause) => {
      if (cause === null || cause === undefined) return resolve({ _tag: 'Done' })
      const code = 'code' in cause ? String(cause.code) : cause.message
      resolve(closed.has(code) ? { _tag: 'Closed' } : { _tag: 'Failed', code })
    })
  })

/** Writes one piece after the other; stops at the first that cannot be written. */
export const writeAll = async (stream: Writable, pieces: Iterable<string>): Promise<WriteResult> => {
  for (const piece of pieces) {
    const written = await write(stream, piece)
    if (written._tag !== 'Done') return written
  }
  return { _tag: 'Done' }
}
