/** One attempt to connect to the agent of a pod. */
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { type Failure, isForbidden, serverWords } from '../../domain/cluster/failure.ts'
import type { LinkKeys } from '../../domain/dev/keys.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Cluster } from '../../ports/cluster.ts'
import type { Link, Links } from '../../ports/link.ts'
import { atMost } from '../concurrency/deadline.ts'

export type DialNeeds = { readonly clock: Clock; readonly links: Pick<Links, 'connect'> }

/** `port`: that of the agent in the pod. */
export type AgentTarget = {
  readonly cluster: Pick<Cluster, 'pods'>
  readonly namespace: string
  readonly port: number
  readonly keys: LinkKeys
}

export type DialFailure = { readonly isForbidden: boolean; readonly reason: string }

/** A link is ready sooner, or its server does not respond. */
const dialMs = 3000

const failed = (failure: Failure): DialFailure => ({
  isForbidden: isForbidden(failure),
  reason: serverWords(failure) ?? 'it was given up',
})

export const dialAgent =
  ({ clock, links }: DialNeeds, { cluster, keys, namespace, port }: AgentTarget) =>
  (pod: string, signal: AbortSignal): TaskEither<DialFailure, Link> =>
  async () => {
    const dialled = await atMost(clock, dialMs, (late) =>
      cluster.pods.dial({ namespace, name: pod }, port, AbortSignal.any([signal, late]))(),
    )
    if (dialled === undefined) return E.left({ isForbidden: false, reason: 'the API server does not respond' })
    if (E.isLeft(dialled)) return E.left(failed(dialled.left))
    const { bytes, closed } = dialled.right
    const link = await links.connect(bytes, keys)()
    if (E.isRight(link)) return link
    const because = await Promise.race([closed, clock.sleep(0)])
    return E.left(because === undefined ? { isForbidden: false, reason: link.left.reason } : failed(because))
  }
