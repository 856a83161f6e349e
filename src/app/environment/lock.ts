/** Carries out the steps of an environment's lock; once it is held, in the background. */

import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Failure } from '../../domain/cluster/failure.ts'
import { type JsonObject, textAt } from '../../domain/cluster/json.ts'
import { type ClusterObject, isLive } from '../../domain/cluster/live.ts'
import { type ObjectKey, resources } from '../../domain/cluster/resources.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import {
  beginClaim,
  type Claim,
  isOverdue,
  type LeaseCommand,
  type LeaseEvent,
  type LeaseStep,
  leaseMs,
  lostLock,
  patienceMs,
  stepLease,
} from '../../domain/environment/lease.ts'
import { recordName } from '../../domain/environment/record.ts'
import { ownLabels, PROCESS_ANNOTATION } from '../../domain/k8s/labels.ts'
import { defined } from '../../domain/object/defined.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Machine } from '../../ports/machine.ts'
import type { Ports } from '../../ports/ports.ts'
import { lingering } from '../concurrency/deadline.ts'
import type { Target } from '../context/target.ts'

const MANAGER = { manager: 'devtool' }

/**
 * `check` says why nothing more may be written; while a renewal is overdue it waits for it. `release` never fails: an
 * unreleased lock expires. It returns the names of Leases that may not be deleted, and stay without a holder.
 */
export type Lock = {
  readonly check: () => Promise<Diagnostic | undefined>
  readonly release: () => Promise<ReadonlyArray<string>>
}

/** `waitsMs`: how long to wait for a live holder. */
export type Locking = { readonly breaks: boolean; readonly waitsMs: number; readonly signal: AbortSignal }

/** `name`: of its Lease. `what`: in words. */
export type Lockable = Pick<Claim, 'what'> & {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
}

type LockContext = {
  readonly clock: Clock
  readonly machine: Machine
  readonly key: ObjectKey
  readonly labels: Lockable['labels']
  readonly target: Pick<Target, 'cluster'>
  readonly claim: Claim
  readonly say: (text: string) => void
}

const bodyOf = (
  { clock, key, labels, machine }: LockContext,
  holder: string,
  live: ClusterObject | undefined,
): JsonObject => {
  const renewTime = clock.date().replace(/(?:\.\d+)?Z$/, '.000000Z')
  const isOurs = textAt(live, 'spec', 'holderIdentity') === holder
  const acquireTime = (isOurs ? textAt(live, 'spec', 'acquireTime') : undefined) ?? renewTime
  // With its uid, so that renewing never recreates a Lease that was deleted meanwhile.
  const version = live === undefined ? {} : { resourceVersion: live.metadata.resourceVersion, uid: live.metadata.uid }
  return {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: {
      name: key.name,
      ...defined({ namespace: key.namespace }),
      labels,
      ...(holder === '' || machine.mark === '' ? {} : { annotations: { [PROCESS_ANNOTATION]: machine.mark } }),
      ...version,
    },
    spec: { holderIdentity: holder, leaseDurationSeconds: leaseMs / 1000, acquireTime, renewTime },
  }
}

type Writing = Extract<LeaseCommand, { readonly _tag: 'Write' }>

const write = (
  context: LockContext,
  { holder, live }: Writing,
  signal: AbortSignal | undefined,
): TE.TaskEither<Failure, ClusterObject | undefined> => {
  const { cluster } = context.target
  const { namespace, resource } = context.key
  const body = bodyOf(context, holder, live)
  const options = { ...MANAGER, ...defined({ signal }) }
  if (live !== undefined) return cluster.replace(context.key, body, options)
  return pipe(
    cluster.create({ resource, ...defined({ namespace }) }, body, options),
    TE.flatMap((made) => (isLive(made) ? TE.right(made) : cluster.get(context.key, signal))),
  )
}

const remove = (
  { key, target }: LockContext,
  { metadata: { resourceVersion, uid } }: ClusterObject,
  signal: AbortSignal | undefined,
): TE.TaskEither<Failure, undefined> =>
  pipe(
    target.cluster.remove(key, { uid, resourceVersion, propagation: 'Background', ...defined({ signal }) }),
    TE.map(() => undefined),
  )

type ReadOrWrite =
  | { readonly _tag: 'Slept' }
  | { readonly _tag: 'Read'; readonly live: ClusterObject | undefined; readonly isAbandoned: boolean }
  | { readonly _tag: 'Written'; readonly live: ClusterObject | undefined }
  | { readonly _tag: 'ReadFailed' | 'WriteFailed'; readonly failure: Failure }

/** `signal` ends pauses and reads, `late` everything. */
type Ends = { readonly signal?: AbortSignal; readonly late?: AbortSignal }

const carryOut = async (
  context: LockContext,
  command: Exclude<LeaseCommand, { readonly _tag: 'Stop' }>,
  { late, signal }: Ends,
): Promise<ReadOrWrite> => {
  const { clock, key, machine, say, target } = context
  if (command._tag === 'Sleep') {
    if (command.waitsFor !== undefined) say(`waiting for the lock of ${command.waitsFor}`)
    await clock.sleep(command.ms, signal)
    return { _tag: 'Slept' }
  }
  if (command._tag === 'Look') {
    const read = pipe(
      target.cluster.get(key, command.mustEnd ? late : signal),
      TE.match<Failure, ReadOrWrite, ClusterObject | undefined>(
        (failure) => ({ _tag: 'ReadFailed', failure }),
        (live) => ({
          _tag: 'Read',
          live,
          isAbandoned: machine.hasEnded(textAt(live, 'metadata', 'annotations', PROCESS_ANNOTATION) ?? ''),
        }),
      ),
    )
    return read()
  }
  const written = pipe(
    command._tag === 'Remove' ? remove(context, command.live, late) : write(context, command, late),
    TE.match<Failure, ReadOrWrite, ClusterObject | undefined>(
      (failure) => ({ _tag: 'WriteFailed', failure }),
      (live) => ({ _tag: 'Written', live }),
    ),
  )
  return written()
}

const at = (clock: Clock, signal: AbortSignal | undefined): Pick<LeaseEvent, 'atMs' | 'isEnding'> => ({
  atMs: clock.now(),
  isEnding: signal?.aborted === true,
})

const next = async (context: LockContext, { command, state }: LeaseStep, ends: Ends): Promise<LeaseStep> => {
  if (command._tag === 'Stop') return { command, state }
  const happened = await carryOut(context, command, ends)
  return stepLease(context.claim, state, { ...happened, ...at(context.clock, ends.signal) })
}

const overduePauseMs = 200

/**
 * Renews the lock until it is stopped; `check` reports problems with it, and waits no longer than until the signal is
 * aborted.
 */
const hold = (context: LockContext, taken: LeaseStep, signal: AbortSignal): Lock => {
  const { claim, clock } = context
  const stopped = new AbortController()
  let held = taken
  const keep = async (): Promise<void> => {
    while (held.command._tag !== 'Stop' && !stopped.signal.aborted) {
      held = await next(context, held, { signal: stopped.signal, late: stopped.signal })
      // Reset even without a check meanwhile, so that the next delay gets the whole time.
      if (!isOverdue(held.state, clock.now())) overdueSinceMs = undefined
    }
  }
  /** When a check first saw that the renewal was overdue: many checks together wait no longer than one. */
  let overdueSinceMs: number | undefined
  const kept = keep()
  const isAwaited = (): boolean => {
    const now = clock.now()
    overdueSinceMs = isOverdue(held.state, now) ? (overdueSinceMs ?? now) : undefined
    return overdueSinceMs !== undefined && now - overdueSinceMs < patienceMs
  }
  return {
    check: async () => {
      while (isAwaited() && !signal.aborted) await clock.sleep(overduePauseMs, signal)
      return lostLock(claim.what, held.state, clock.now())
    },
    release: async () => {
      stopped.abort()
      await kept
      held = stepLease(claim, held.state, { _tag: 'Release', ...at(clock, undefined) })
      while (held.command._tag !== 'Stop') held = await next(context, held, {})
      return held.state._tag === 'Released' && held.state.isKept === true ? [context.key.name] : []
    },
  }
}

/** DT3110 when a live holder has it. */
export const acquireLock =
  ({ clock, machine, progress }: Pick<Ports, 'clock' | 'machine' | 'progress'>) =>
  (
    target: Pick<Target, 'cluster' | 'namespace'>,
    { labels, name, what }: Lockable,
    { breaks, signal, waitsMs }: Locking,
  ): TE.TaskEither<Diagnostic, Lock> =>
  async () => {
    const key: ObjectKey = { resource: resources.Lease, namespace: target.namespace, name }
    const claim: Claim = { what, holder: machine.holder, breaks, waitsMs }
    const say = (text: string): void => progress.tell({ _tag: 'Said', text })
    const context: LockContext = { clock, machine, key, labels, target, claim, say }
    let step = beginClaim(clock.now())
    const { clear, late } = lingering(clock, signal)
    while (step.state._tag === 'Claiming') step = await next(context, step, { signal, late })
    clear()
    return step.state._tag === 'Refused' ? E.left(step.state.why) : E.right(hold(context, step, signal))
  }

/** The lock of an environment. */
export const acquire =
  (ports: Parameters<typeof acquireLock>[0]) =>
  (
    target: Pick<Target, 'cluster' | 'namespace'>,
    environment: string,
    locking: Locking,
  ): TE.TaskEither<Diagnostic, Lock> => {
    const what = `the environment "${environment}"`
    const lockable = { name: recordName(environment), labels: ownLabels(environment, 'lock'), what }
    return acquireLock(ports)(target, lockable, locking)
  }
