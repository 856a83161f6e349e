/** The progress messages of the Docker daemon, one line of JSON each. */
import type { IncomingMessage } from 'node:http'
import { type Json, textAt } from '../../domain/cluster/json.ts'
import { jsonLines } from './json-lines.ts'

const lineLimit = 1024 * 1024

/** `Refused`: the daemon says why it failed. `Lost`: the outcome is unknown. */
export type DaemonFailure =
  | { readonly _tag: 'Refused'; readonly message: string }
  | { readonly _tag: 'Lost'; readonly cause: string }

/** Why it failed, when this message says so. */
const errorIn = (message: Json): string | undefined =>
  textAt(message, 'errorDetail', 'message') ?? textAt(message, 'error')

/** Reads to the end, since the status is 200 even when it fails. `doing`: `the push`. */
export const readMessages = async (
  response: IncomingMessage,
  doing: string,
  { heard, tell }: { readonly heard: () => void; readonly tell: (message: Json) => void },
): Promise<DaemonFailure | undefined> => {
  const lost = (cause: string): DaemonFailure => ({ _tag: 'Lost', cause })
  const closed = lost(`the Docker daemon closed the connection during ${doing}`)
  async function* chunks(): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const chunk of response) {
      heard()
      yield Buffer.from(chunk)
    }
  }
  try {
    for await (const message of jsonLines(chunks(), lineLimit)) {
      if (message === undefined) return lost('the Docker daemon sent an unreadable message')
      const error = errorIn(message)
      if (error !== undefined) return { _tag: 'Refused', message: error }
      tell(message)
    }
  } catch {
    return closed
  } finally {
    response.destroy()
  }
  return response.complete ? undefined : closed
}
