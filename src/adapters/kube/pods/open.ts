/** Opens pod subresources that use channels. */
import type { IncomingMessage } from 'node:http'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { ApiRequest, Failure } from '../../../domain/cluster/failure.ts'
import { type ObjectKey, resources } from '../../../domain/cluster/resources.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { PodName } from '../../../ports/pods.ts'
import type { WebSocketLink } from '../../websocket/link.ts'
import { readBody, refusalOf } from '../api/answer.ts'
import { failureOf } from '../api/request.ts'
import type { ApiTransport } from '../api/transport.ts'

export type PodApi = { readonly upstream: ApiTransport; readonly clock: Clock }

type ChannelRequest = { readonly asked: ApiRequest; readonly path: string; readonly protocols: ReadonlyArray<string> }

export const podKey = ({ name, namespace }: PodName): ObjectKey => ({ resource: resources.Pod, namespace, name })

const refusedBy =
  (clock: Clock, asked: ApiRequest, response: IncomingMessage): TE.TaskEither<Failure, never> =>
  async () => {
    const text = E.getOrElse(() => '')(await readBody(response, clock)())
    return E.left(refusalOf(asked, response.statusCode ?? 0, text))
  }

export const openChannels = (
  { clock, upstream }: PodApi,
  { asked, path, protocols }: ChannelRequest,
  signal: AbortSignal,
): TE.TaskEither<Failure, WebSocketLink> =>
  pipe(
    upstream.link({ path, protocols, clock, signal }),
    TE.mapLeft((none) => failureOf(upstream.server, asked, none, false)),
    TE.flatMap((opened) =>
      opened._tag === 'Linked' ? TE.right(opened.link) : refusedBy(clock, asked, opened.response),
    ),
  )

/** Why an open link ended; `undefined` for a normal end. */
export const endingOf = (
  { upstream }: PodApi,
  asked: ApiRequest,
  reason: string | undefined,
  signal: AbortSignal,
): Failure | undefined => {
  if (signal.aborted) return { _tag: 'Aborted', asked }
  if (reason === undefined) return undefined
  return { _tag: 'Unreachable', asked, server: upstream.server, cause: reason, mayHaveHappened: true }
}
