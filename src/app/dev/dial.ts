/** One attempt to connect to the agent of a pod. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Failure, isForbidden, serverWords } from '../../domain/cluster/failure.ts'
import { agentFolder } from '../../domain/dev/agent-pod.ts'
import type { LinkKeys } from '../../domain/dev/keys.ts'
import { type Backoff, pauseAfter } from '../../domain/time/backoff.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Cluster } from '../../ports/cluster.ts'
import type { Link, LinkFailure, Links } from '../../ports/link.ts'
import { atMost } from '../concurrency/deadline.ts'

export type DialNeeds = { readonly clock: Clock; readonly links: Pick<Links, 'connect'> }

/** `container`: the developed one. `port`: that of its agent. */
export type AgentTarget = {
  readonly cluster: Pick<Cluster, 'pods'>
  readonly namespace: string
  readonly container: string
  readonly port: number
  readonly keys: LinkKeys
}

export type DialFailure = { readonly isForbidden: boolean; readonly reason: string }

/** How long the API server may take; when it responds at all, it does so sooner. */
const dialMs = 3000
/**
 * How long the agent may take afterwards. On a busy machine it needs longer, and attempts that are always given up too
 * early would never succeed.
 */
const agentMs: Backoff = { firstMs: 3000, longestMs: 12_000 }

const failed = (failure: Failure): DialFailure => ({
  isForbidden: isForbidden(failure),
  reason: serverWords(failure) ?? 'it was given up',
})

type Connect = (bytes: Parameters<Links['connect']>[0]) => TE.TaskEither<LinkFailure, Link>

/** As long as the agent is never in time, each attempt allows it more time than the one before. */
const patientConnect = ({ clock, links }: DialNeeds, { keys }: AgentTarget): Connect => {
  let late = 0
  return (bytes) => async () => {
    const [beganMs, limitMs] = [clock.now(), pauseAfter(agentMs, late)]
    const link = await links.connect(bytes, keys, limitMs)()
    if (E.isRight(link)) late = 0
    else if (clock.now() - beganMs >= limitMs) late += 1
    return link
  }
}

/** Runs the agent as a command, for clusters without port forwarding. */
const execAgent =
  (connect: Connect, { cluster, container, namespace }: AgentTarget) =>
  (pod: string, signal: AbortSignal): TE.TaskEither<DialFailure, Link> => {
    const command = [`${agentFolder}/sh`, `${agentFolder}/pid1.sh`, '--stdio']
    return pipe(
      cluster.pods.exec({ namespace, name: pod }, { command, container, hasStdin: true }, signal),
      TE.mapLeft(failed),
      TE.chain(({ stderr, stdin, stdout }) => {
        stderr.resume()
        return TE.mapLeft(({ reason }: LinkFailure) => ({ isForbidden: false, reason }))(connect({ stdin, stdout }))
      }),
    )
  }

const dialOnce =
  ({ clock }: Pick<DialNeeds, 'clock'>, target: AgentTarget, connect: Connect) =>
  (pod: string, signal: AbortSignal): TE.TaskEither<DialFailure, Link> =>
  async () => {
    const { cluster, namespace, port } = target
    const dialled = await atMost(clock, dialMs, (late) =>
      cluster.pods.dial({ namespace, name: pod }, port, AbortSignal.any([signal, late]))(),
    )
    if (dialled === undefined) return E.left({ isForbidden: false, reason: 'the API server does not respond' })
    if (E.isLeft(dialled)) {
      return isForbidden(dialled.left) ? execAgent(connect, target)(pod, signal)() : E.left(failed(dialled.left))
    }
    const { bytes, closed } = dialled.right
    const link = await connect(bytes)()
    if (E.isRight(link)) return link
    const because = await Promise.race([closed, clock.sleep(0)])
    return E.left(because === undefined ? { isForbidden: false, reason: link.left.reason } : failed(because))
  }

/**
 * An attempt that began without a network is retried by the system only after seconds, so further attempts begin beside
 * it.
 */
const nextMs = 500
const mostAtOnce = 3

/** The first attempt keeps running; later ones replace each other. Resolves with the first that ends. */
export const dialAgent = (
  needs: DialNeeds,
  target: AgentTarget,
): ((pod: string, signal: AbortSignal) => TE.TaskEither<DialFailure, Link>) => {
  const dial = dialOnce(needs, target, patientConnect(needs, target))
  return (pod, signal) => () =>
    new Promise((resolve) => {
      const running = new Set<AbortController>()
      let isDone = false
      const attempt = async (): Promise<void> => {
        const own = new AbortController()
        const [, second] = running
        if (running.size === mostAtOnce) second?.abort()
        running.add(own)
        const dialled = await dial(pod, AbortSignal.any([signal, own.signal]))()
        running.delete(own)
        if (isDone || own.signal.aborted) return E.isRight(dialled) ? dialled.right.close() : undefined
        isDone = true
        stop()
        for (const other of running) other.abort()
        resolve(dialled)
      }
      const stop = needs.clock.every(nextMs, () => void attempt())
      void attempt()
    })
}
