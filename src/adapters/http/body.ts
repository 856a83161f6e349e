/** Reads a whole body, up to a limit. */
import type { IncomingMessage } from 'node:http'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { causeText } from './causes.ts'

export const tooLarge = 'the answer is too large'

/** Left: why it is not complete: too large, or cut off. */
export const readBody =
  (response: IncomingMessage, limitBytes: number): TE.TaskEither<string, Buffer> =>
  async () => {
    const chunks: Array<Buffer> = []
    let length = 0
    try {
      for await (const chunk of response) {
        const bytes = Buffer.from(chunk)
        length += bytes.length
        if (length > limitBytes) return E.left(tooLarge)
        chunks.push(bytes)
      }
    } catch (cause) {
      return E.left(`the response was cut off: ${causeText(cause)}`)
    }
    return response.complete ? E.right(Buffer.concat(chunks)) : E.left('the response was cut off')
  }
