/** The session of `up`, and of commands that run in a development container: its pod is watched, its links are kept. */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { ClusterObject } from '../../domain/cluster/live.ts'
import { resources } from '../../domain/cluster/resources.ts'
import { mirrorPod } from '../../domain/dev/mirror-pod.ts'
import type { SessionEnd, SessionNotice } from '../../domain/dev/session.ts'
import type { Cluster } from '../../ports/cluster.ts'
import type { Link } from '../../ports/link.ts'
import { inform } from '../watch/informer.ts'
import { type AgentTarget, type DialNeeds, dialAgent } from './dial.ts'
import { type Healing, healing, type PodLink } from './healing.ts'

/** `pods`: labels that only the pods of the development container have, as `a=b,c=d`. */
export type SessionTarget = AgentTarget & {
  readonly cluster: Pick<Cluster, 'list' | 'watch' | 'pods'>
  readonly pods: string
}

/** A link for terminals, which large transfers must not slow down, and another one for these. */
type LinkUse = 'terminal' | 'bulk'

export type DevSession = {
  /** Waits while there is none. `not`: one that is known to be lost. Fails when the session is over. */
  readonly link: (use: LinkUse, not?: Link) => TE.TaskEither<SessionEnd, PodLink>
  readonly end: (end: SessionEnd) => void
  readonly ended: Promise<SessionEnd>
}

export type SessionNeeds = DialNeeds

const beatMs = 1000
/** Between two beats, the machine was suspended. */
const sleptMs = 10_000

const onSleep = ({ clock }: Pick<SessionNeeds, 'clock'>, wake: () => void): (() => void) => {
  let last = clock.wallMs()
  return clock.every(beatMs, () => {
    const now = clock.wallMs()
    if (now - last > sleptMs) wake()
    last = now
  })
}

/** Lasts until the signal, or until it is ended. `tell` is told what happens to the terminal's link. */
export const openSession =
  (needs: SessionNeeds) =>
  (target: SessionTarget, signal: AbortSignal, tell: (notice: SessionNotice) => void = () => {}): DevSession => {
    const { clock } = needs
    const { cluster, container, namespace } = target
    const dial = dialAgent(needs, target)
    const terminal = healing(needs, dial, tell)
    /** Made when it is first used. */
    let bulk: Healing | undefined
    const over = new AbortController()
    const ends = AbortSignal.any([signal, over.signal])

    const byUid = new Map<string, ClusterObject>()
    const show = (to: Healing | undefined): void =>
      to?.send({ _tag: 'Pod', pod: mirrorPod([...byUid.values()], container), atMs: clock.now() })
    const showAll = (): void => [terminal, bulk].forEach(show)
    void inform(
      { cluster, clock, signal: ends },
      { resource: resources.Pod, namespace, labels: target.pods },
      {
        see: (pod) => {
          byUid.set(pod.metadata.uid, pod)
          showAll()
        },
        forget: (pod) => {
          byUid.delete(pod.metadata.uid)
          showAll()
        },
        reset: (pods) => {
          byUid.clear()
          for (const pod of pods) byUid.set(pod.metadata.uid, pod)
          showAll()
        },
        trouble: () => {},
      },
    )

    const stopWatching = onSleep(needs, () => {
      for (const link of [terminal, bulk]) link?.send({ _tag: 'Slept', atMs: clock.now() })
    })
    const end = (reason: SessionEnd): void => {
      for (const link of [terminal, bulk]) link?.send({ _tag: 'End', end: reason })
    }
    const interrupt = (): void => end({ _tag: 'Interrupted', reason: 'it was interrupted' })
    if (signal.aborted) interrupt()
    else signal.addEventListener('abort', interrupt, { once: true })
    void terminal.ended.then((reason) => {
      bulk?.send({ _tag: 'End', end: reason })
      stopWatching()
      signal.removeEventListener('abort', interrupt)
      return over.abort()
    })

    const bulkLink = (): Healing => {
      if (bulk === undefined) {
        bulk = healing(needs, dial, () => {})
        void bulk.ended.then(end)
        show(bulk)
      }
      return bulk
    }
    return {
      link: (use, not) =>
        pipe(
          TE.fromIO(() => (use === 'terminal' ? terminal : bulkLink())),
          TE.chain((link) => link.next(not)),
        ),
      end,
      ended: terminal.ended,
    }
  }
