/** Subresources of pods that speak in channels. */
import * as E from 'fp-ts/lib/Either.js'
import type { ApiRequest, Failure } from '../../../domain/cluster/failure.ts'
import { type ObjectKey, resources } from '../../../domain/cluster/resources.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { PodName } from '../../../ports/pods.ts'
import type { WebSocketLink } from '../../websocket/link.ts'
import { readBody, refusalOf } from '../api/answer.ts'
import { failureOf } from '../api/request.ts'
import type { ApiTransport } from '../api/transport.ts'

export type PodApi = { readonly upstream: ApiTransport; readonly clock: Clock }

type Wanted = { readonly asked: ApiRequest; readonly path: string; readonly protocols: ReadonlyArray<string> }

export const podKey = ({ name, namespace }: PodName): ObjectKey => ({ resource: resources.Pod, namespace, name })

export const openChannels = async (
  { clock, upstream }: PodApi,
  { asked, path, protocols }: Wanted,
  signal: AbortSignal,
): Promise<E.Either<Failure, WebSocketLink>> => {
  const opened = await upstream.link({ path, protocols, clock, signal })
  if (E.isLeft(opened)) return E.left(failureOf(upstream.server, asked, opened.left, false))
  if (opened.right._tag === 'Linked') return E.right(opened.right.link)
  const { response } = opened.right
  const text = await readBody(response)
  return E.left(refusalOf(asked, response.statusCode ?? 0, E.isLeft(text) ? '' : text.right))
}

/** Why a link that was open ended, unless it ended in order. */
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
