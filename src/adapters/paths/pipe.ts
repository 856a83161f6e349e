/** Text that another program writes: `<(...)` of a shell. */
import { Socket } from 'node:net'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { defined } from '../../domain/object/defined.ts'

type Limits = { readonly quietMs: number; readonly limitBytes: number; readonly signal?: AbortSignal }

/** Quiet: nothing came for too long. TooLarge: more than the limit came. */
export type PipeFault =
  | { readonly _tag: 'Quiet' }
  | { readonly _tag: 'TooLarge' }
  | { readonly _tag: 'Failed'; readonly cause: unknown }

/** Reads until every writer has closed the pipe; waits for the first writer. Closes the descriptor. */
export const readPipe =
  (fd: number, { limitBytes, quietMs, signal }: Limits): TE.TaskEither<PipeFault, Buffer> =>
  async () => {
    const pipe = new Socket({ fd, readable: true, writable: false, ...defined({ signal }) })
    let isQuiet = false
    pipe.setTimeout(quietMs, () => {
      isQuiet = true
      pipe.destroy()
    })
    const chunks: Array<Buffer> = []
    let length = 0
    try {
      for await (const chunk of pipe) {
        const bytes = Buffer.from(chunk)
        length += bytes.length
        if (length > limitBytes) return E.left({ _tag: 'TooLarge' })
        chunks.push(bytes)
      }
      return E.right(Buffer.concat(chunks))
    } catch (cause) {
      return E.left(isQuiet ? { _tag: 'Quiet' } : { _tag: 'Failed', cause })
    } finally {
      pipe.destroy()
    }
  }
