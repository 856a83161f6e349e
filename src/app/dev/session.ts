/**
 * The session of `up`, and of commands that run in a development container: watches its pod and keeps its links alive.
 */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { memoryKills } from '../../domain/dev/memory-kills.ts'
import type { SessionEnd, SessionNotice } from '../../domain/dev/session.ts'
import type { Cluster } from '../../ports/cluster.ts'
import type { Link } from '../../ports/link.ts'
import type { Machine } from '../../ports/machine.ts'
import { type AgentTarget, type DialNeeds, dialAgent } from './dial.ts'
import { followPod } from './follow-pod.ts'
import { type Healing, type HealingNeeds, healing, type PodLink } from './healing.ts'

/**
 * `pods`: labels that only the pods of the development container have, as `a=b,c=d`. `patienceMs`: how long none of
 * them may run.
 */
export type SessionTarget = AgentTarget & {
  readonly cluster: Pick<Cluster, 'list' | 'watch' | 'pods'>
  readonly pods: string
  readonly patienceMs: number
}

/** A link for terminals, and another for large transfers, which must not slow down terminals. */
type LinkUse = 'terminal' | 'bulk'

export type DevSession = {
  /**
   * The current link, or the next one. `not`: a link that is known to be lost. Fails when the session is over, and when
   * the signal is aborted.
   */
  readonly link: (use: LinkUse, not?: Link, signal?: AbortSignal) => TE.TaskEither<SessionEnd, PodLink>
  readonly end: (end: SessionEnd) => void
  readonly ended: Promise<SessionEnd>
}

export type SessionNeeds = DialNeeds & HealingNeeds & { readonly machine: Pick<Machine, 'addresses'> }

const beatMs = 1000
/** A longer time between two ticks means that the machine was suspended. */
const sleptMs = 10_000

const onSleep = ({ clock }: Pick<SessionNeeds, 'clock'>, wake: () => void): (() => void) => {
  let last = clock.wallMs()
  return clock.every(beatMs, () => {
    const now = clock.wallMs()
    if (now - last > sleptMs) wake()
    last = now
  })
}

/**
 * How often a quiet terminal that is in use asks for a sign of life. The other end of a port-forward notices with the
 * second write that an agent has gone, and by itself after a second.
 */
const attentiveMs = 400

const lookMs = 200

/** Calls `changed` when the addresses of this machine are others than at the last look, while it is switched on. */
const networkLook = ({ clock, machine }: SessionNeeds, changed: () => void): (() => () => void) => {
  let last = machine.addresses()
  return () =>
    clock.every(lookMs, () => {
      const now = machine.addresses()
      if (now !== last) changed()
      last = now
    })
}

/** Lasts until the signal is aborted, or until it is ended. `tell` gets the notices about the terminal's link. */
export const openSession =
  (needs: SessionNeeds) =>
  (target: SessionTarget, signal: AbortSignal, tell: (notice: SessionNotice) => void = () => {}): DevSession => {
    const { clock } = needs
    const { cluster, patienceMs } = target
    const attentive = { dial: dialAgent(needs, target, attentiveMs), patienceMs }
    let stopLooking: ReadonlyArray<() => void> = []
    const lookAround = (isWanted: boolean): void => {
      if (isWanted === stopLooking.length > 0) return
      for (const stop of stopLooking) stop()
      stopLooking = isWanted ? [lookAtNetwork(), clock.every(beatMs, tick)] : []
    }
    const terminal = healing(needs, attentive, (notice) => {
      lookAround(notice._tag !== 'Connected')
      tell(notice)
    })
    /** Opened when it is first used. */
    let bulk: Healing | undefined
    const over = new AbortController()
    const ends = AbortSignal.any([signal, over.signal])

    const { pod, pods, waits } = followPod({ cluster, clock, signal: ends }, target, () => {
      for (const link of [terminal, bulk]) show(link)
      sayKills()
    })
    /** Those before the session are not its concern. */
    let kills: ReadonlyMap<string, string> | undefined
    const sayKills = (): void => {
      const now = memoryKills(pods(), target.container)
      for (const [end, reason] of now) if (kills?.has(end) === false) tell({ _tag: 'Killed', reason })
      kills = now
    }
    const show = (to: Healing | undefined): void => to?.send({ _tag: 'Pod', pod: pod(), atMs: clock.now() })

    const happened = (_tag: 'Slept' | 'NetworkChanged') => (): void => {
      for (const link of [terminal, bulk]) link?.send({ _tag, atMs: clock.now() })
    }
    const lookAtNetwork = networkLook(needs, happened('NetworkChanged'))
    const tick = (): void => {
      const reason = waits()
      if (reason !== undefined) terminal.send({ _tag: 'PodWaits', reason, atMs: clock.now() })
      terminal.send({ _tag: 'Tick', atMs: clock.now() })
    }
    lookAround(true)
    const stopBeating = onSleep(needs, happened('Slept'))
    const end = (reason: SessionEnd): void => {
      for (const link of [terminal, bulk]) link?.send({ _tag: 'End', end: reason })
    }
    const interrupt = (): void => end({ _tag: 'Interrupted', reason: 'it was interrupted' })
    if (signal.aborted) interrupt()
    else signal.addEventListener('abort', interrupt, { once: true })
    void terminal.ended.then((reason) => {
      bulk?.send({ _tag: 'End', end: reason })
      lookAround(false)
      stopBeating()
      signal.removeEventListener('abort', interrupt)
      return over.abort()
    })

    const bulkLink = (): Healing => {
      if (bulk === undefined) {
        bulk = healing(needs, { dial: dialAgent(needs, target), patienceMs }, () => {})
        void bulk.ended.then(end)
        show(bulk)
      }
      return bulk
    }
    return {
      link: (use, not, until) =>
        pipe(
          TE.fromIO(() => (use === 'terminal' ? terminal : bulkLink())),
          TE.chain((link) => link.next(not, until)),
        ),
      end,
      ended: terminal.ended,
    }
  }
