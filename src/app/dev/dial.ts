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
import type { Link, Links } from '../../ports/link.ts'
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

/**
 * Bytes to and from the agent. `isProcess`: they have started an agent of their own. `ended`: why they ended, if they
 * have not been closed here.
 */
type Reached = {
  readonly isProcess: boolean
  readonly bytes: Parameters<Links['connect']>[0]
  readonly ended: Promise<Failure | undefined>
}

type Reach = (target: AgentTarget, pod: string, signal: AbortSignal) => TE.TaskEither<Failure, Reached>

const byPort: Reach = ({ cluster, namespace, port }, pod, signal) =>
  pipe(
    cluster.pods.dial({ namespace, name: pod }, port, signal),
    TE.map(({ bytes, closed }) => ({ isProcess: false, bytes, ended: closed })),
  )

/** Runs the agent as a command, for clusters without port forwarding. */
const byCommand: Reach = ({ cluster, container, namespace }, pod, signal) => {
  const command = [`${agentFolder}/sh`, `${agentFolder}/pid1.sh`, '--stdio']
  return pipe(
    cluster.pods.exec({ namespace, name: pod }, { command, container, hasStdin: true }, signal),
    TE.map(({ exit, stderr, stdin, stdout }) => {
      stderr.resume()
      const ended = exit().then(
        E.match(
          (failure): Failure | undefined => failure,
          () => undefined,
        ),
      )
      return { isProcess: true, bytes: { stdin, stdout }, ended }
    }),
  )
}

const silent: DialFailure = { isForbidden: false, reason: 'the API server does not respond' }

const reach =
  ({ clock }: Pick<DialNeeds, 'clock'>, target: AgentTarget) =>
  (pod: string, signal: AbortSignal): TE.TaskEither<DialFailure, Reached> =>
  async () => {
    const inTime = (way: Reach) => atMost(clock, dialMs, (late) => way(target, pod, AbortSignal.any([signal, late]))())
    const first = await inTime(byPort)
    const isNotAllowed = first !== undefined && E.isLeft(first) && isForbidden(first.left)
    const reached = isNotAllowed ? await inTime(byCommand) : first
    return reached === undefined ? E.left(silent) : E.mapLeft(failed)(reached)
  }

/**
 * An attempt that began without a network is retried by the system only after seconds, so further attempts begin beside
 * it.
 */
const nextMs = 500
const mostAtOnce = 3

/** `own`: ends what the attempt has opened. `alone`: no further attempts begin, and the others end. */
type Attempt = (own: AbortController, alone: () => void) => TE.TaskEither<DialFailure, Link>

/** The first attempt keeps running; later ones replace each other. Resolves with the first that ends. */
const dialSoon =
  ({ clock }: Pick<DialNeeds, 'clock'>, attempt: Attempt): TE.TaskEither<DialFailure, Link> =>
  () =>
    new Promise((resolve) => {
      const running = new Set<AbortController>()
      let isDone = false
      const begin = async (): Promise<void> => {
        const own = new AbortController()
        const alone = (): void => {
          if (own.signal.aborted) return
          stop()
          for (const other of running) if (other !== own) other.abort()
        }
        const [, second] = running
        if (running.size === mostAtOnce) second?.abort()
        running.add(own)
        const dialled = await attempt(own, alone)()
        running.delete(own)
        const isLate = isDone || own.signal.aborted
        if (E.isLeft(dialled)) own.abort()
        else if (isLate) dialled.right.close()
        if (isLate) return
        isDone = true
        stop()
        for (const other of running) other.abort()
        resolve(dialled)
      }
      const stop = clock.every(nextMs, () => void begin())
      void begin()
    })

/** As long as the agent is never in time, each attempt allows it more time than the one before. */
export const dialAgent = (
  { clock, links }: DialNeeds,
  target: AgentTarget,
  keepAliveMs?: number,
): ((pod: string, signal: AbortSignal) => TE.TaskEither<DialFailure, Link>) => {
  let late = 0
  const connect =
    ({ bytes, ended }: Reached): TE.TaskEither<DialFailure, Link> =>
    async () => {
      const [beganMs, limitMs] = [clock.now(), pauseAfter(agentMs, late)]
      const link = await links.connect(bytes, target.keys, limitMs, keepAliveMs)()
      if (E.isRight(link)) {
        late = 0
        return link
      }
      if (clock.now() - beganMs >= limitMs) late += 1
      const because = await Promise.race([ended, clock.sleep(0)])
      return E.left(because === undefined ? { isForbidden: false, reason: link.left.reason } : failed(because))
    }
  return (pod, signal) =>
    dialSoon({ clock }, (own, alone) =>
      pipe(
        reach({ clock }, target)(pod, AbortSignal.any([signal, own.signal])),
        TE.chain((reached) => {
          if (reached.isProcess) alone()
          return connect(reached)
        }),
        TE.map((link) => {
          void link.closed().then(() => own.abort())
          return link
        }),
      ),
    )
}
