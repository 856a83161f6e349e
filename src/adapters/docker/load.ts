/** Loads images into the image store of the Docker daemon. */
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { BuildFailure } from '../../domain/build/failure.ts'
import { type Answer, askDocker, refusalIn, within } from './api.ts'
import type { Daemon } from './link.ts'
import { type DaemonFailure, readMessages } from './messages.ts'

/** `silenceMs`: how long the daemon may be silent. */
type Loading = Daemon & { readonly silenceMs?: number }

const longestAnswerMs = 20_000
/** The daemon sends nothing while it unpacks large layers. */
const longestSilenceMs = 300_000

const notLoaded = (isReached: boolean, cause: string): E.Either<BuildFailure, never> =>
  E.left({ _tag: 'NotLoaded', isReached, cause })

/** Why the status is not 200. */
const refusalOf = async (answer: Answer): Promise<string | undefined> => {
  if (answer._tag === 'Upgraded') {
    answer.socket.destroy()
    return 'what answers at that address is not Docker'
  }
  const { response } = answer
  return response.statusCode === 200 ? undefined : refusalIn(response)
}

/** Whether there is a daemon, before anything is built for it. */
export const findDaemon =
  (daemon: Daemon, signal: AbortSignal): TE.TaskEither<BuildFailure, Daemon> =>
  async () => {
    const { isLate, value } = await within(daemon.clock, longestAnswerMs, signal, async (inner) => {
      const answer = await askDocker(daemon, { method: 'GET', path: '/_ping' }, inner)()
      if (E.isLeft(answer)) return answer.left
      const refusal = await refusalOf(answer.right)
      if (answer.right._tag === 'Answered') answer.right.response.destroy()
      return refusal
    })
    if (signal.aborted) return E.left({ _tag: 'Aborted' })
    if (isLate) return notLoaded(false, `it does not answer within ${longestAnswerMs / 1000} s`)
    return value === undefined ? E.right(daemon) : notLoaded(false, value)
  }

const sending = async (
  daemon: Daemon,
  archive: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
  heard: () => void,
): Promise<DaemonFailure | undefined> => {
  async function* body(): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const chunk of archive) {
      heard()
      yield chunk
    }
  }
  const headers = { 'content-type': 'application/x-tar' }
  const path = '/images/load?quiet=1'
  const answer = await askDocker(daemon, { method: 'POST', path, headers, body: body() }, signal)()
  if (E.isLeft(answer)) return { _tag: 'Lost', cause: answer.left }
  heard()
  const refusal = await refusalOf(answer.right)
  if (refusal !== undefined) return { _tag: 'Refused', message: refusal }
  if (answer.right._tag === 'Upgraded') return undefined
  return readMessages(answer.right.response, 'loading', { heard, tell: () => {} })
}

/** `archive`: as `docker save` writes it. It is passed on as it comes, at the speed of the daemon. */
export const loadImage =
  (
    { silenceMs = longestSilenceMs, ...daemon }: Loading,
    archive: AsyncIterable<Uint8Array>,
    signal: AbortSignal,
  ): TE.TaskEither<BuildFailure, void> =>
  async () => {
    const { isLate, value } = await within(daemon.clock, silenceMs, signal, (inner, heard) =>
      sending(daemon, archive, inner, heard),
    )
    if (signal.aborted) return E.left({ _tag: 'Aborted' })
    if (isLate) return notLoaded(true, `no message from it for ${silenceMs / 1000} s`)
    if (value === undefined) return E.right(undefined)
    return notLoaded(true, value._tag === 'Lost' ? value.cause : value.message)
  }
