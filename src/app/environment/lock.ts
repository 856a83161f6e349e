/**
 * The lock of an environment: a Lease of 30 seconds, renewed every 10. Whether a holder is gone is judged by how long the
 * Lease was seen not to change, never by what clocks say.
 */

import * as E from 'fp-ts/lib/Either.js'
import { type Failure, failureDiagnostic, isStale, isUnsure } from '../../domain/cluster/failure.ts'
import { type JsonObject, textAt } from '../../domain/cluster/json.ts'
import type { Live } from '../../domain/cluster/live.ts'
import { type ObjectKey, resources } from '../../domain/cluster/resources.ts'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import { recordName } from '../../domain/environment/record.ts'
import { ownLabels } from '../../domain/k8s/labels.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Ports } from '../../ports/ports.ts'
import type { Session } from '../context/target.ts'

const leaseMs = 30_000
const renewMs = 10_000
/** A holder that could not renew for so long stops before its next write. */
const patienceMs = 20_000
const lookMs = 2000
const mostReleases = 4
const releasePauseMs = 200

const MANAGER = { manager: 'devtool' }

/** `check` says why nothing may be written any more. `release` never fails: an unreleased lock expires. */
export type Lock = { readonly check: () => Diagnostic | undefined; readonly release: () => Promise<void> }

export type Locking = { readonly breaks: boolean; readonly signal: AbortSignal }

type Around = {
  readonly clock: Clock
  readonly key: ObjectKey
  readonly session: Pick<Session, 'cluster'>
  readonly holder: string
  readonly environment: string
}

const bodyOf = ({ clock, environment, holder, key }: Around, live: Live | undefined): JsonObject => {
  const renewTime = clock.date().replace(/(?:\.\d+)?Z$/, '.000000Z')
  // With its uid: a Lease that was deleted meanwhile is not made once more by renewing it.
  const version = live === undefined ? {} : { resourceVersion: live.metadata.resourceVersion, uid: live.metadata.uid }
  return {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: {
      name: key.name,
      ...(key.namespace === undefined ? {} : { namespace: key.namespace }),
      labels: ownLabels(environment, 'lock'),
      ...version,
    },
    spec: { holderIdentity: holder, leaseDurationSeconds: leaseMs / 1000, renewTime },
  }
}

const holderOf = (live: Live): string => textAt(live, 'spec', 'holderIdentity') ?? ''

const locked = (environment: string, holder: string): Diagnostic =>
  error('DT3110', `the environment "${environment}" is locked by ${holder}`, {
    help: 'wait until it is done; if its process is gone, --break-lock takes the lock at once',
  })

const isTaken = (failure: Failure): boolean =>
  isStale(failure) || (failure._tag === 'Refused' && failure.status === 409)

const write = async (
  around: Around,
  live: Live | undefined,
  signal: AbortSignal | undefined,
): Promise<E.Either<Failure, Live | undefined>> => {
  const { key, session } = around
  const body = bodyOf(around, live)
  const options = { ...MANAGER, ...(signal === undefined ? {} : { signal }) }
  if (live !== undefined) return session.cluster.replace(key, body, options)()
  const { namespace, resource } = key
  const created = await session.cluster.create(
    { resource, ...(namespace === undefined ? {} : { namespace }) },
    body,
    options,
  )()
  return E.isLeft(created) ? created : session.cluster.get(key)()
}

/** `sinceMs`: from when on others count the time of the Lease, at the latest. */
type Taken = { readonly live: Live | undefined; readonly sinceMs: number }

/** Takes the Lease when it is free, expired or to be broken. DT3110 when its holder lives. */
const take = async (
  around: Around,
  { breaks, signal }: Locking,
  say: (text: string) => void,
): Promise<E.Either<Diagnostic, Taken>> => {
  const { clock, environment, key, session } = around
  let unwritten: Failure | undefined
  let [seen, sinceMs, sentMs]: [string | undefined, number, number] = [undefined, clock.now(), clock.now()]
  for (;;) {
    const read = await session.cluster.get(key, signal)()
    if (E.isLeft(read)) return E.left(failureDiagnostic(unwritten ?? read.left))
    const live = read.right
    const holder = live === undefined ? '' : holderOf(live)
    // Our own request came through, though its answer was lost.
    if (holder === around.holder) return E.right({ live, sinceMs: sentMs })
    const isExpired = live?.metadata.resourceVersion === seen && clock.now() - sinceMs >= leaseMs
    if (holder === '' || breaks || isExpired) {
      sentMs = clock.now()
      const written = await write(around, live, signal)
      if (E.isRight(written)) return E.right({ live: written.right, sinceMs: sentMs })
      unwritten = written.left
      if (!isTaken(unwritten) && !isUnsure(unwritten)) return E.left(failureDiagnostic(unwritten))
    } else if (seen === undefined) say(`waiting for the lock of ${holder}`)
    else if (live?.metadata.resourceVersion !== seen) return E.left(locked(environment, holder))
    if (signal.aborted)
      return E.left(unwritten === undefined ? locked(environment, holder) : failureDiagnostic(unwritten))
    if (seen === undefined && live !== undefined) [seen, sinceMs] = [live.metadata.resourceVersion, clock.now()]
    await clock.sleep(lookMs, signal)
  }
}

/** Renews until it is stopped; what is wrong with the lock is told by `check`. */
const hold = (around: Around, taken: Taken): Lock => {
  const { clock, environment, holder, key, session } = around
  const stopped = new AbortController()
  let [live, renewedMs, lost]: [Live | undefined, number, string | undefined] = [taken.live, taken.sinceMs, undefined]
  const renew = async (): Promise<void> => {
    // Others count from when it was written, which is before the answer came.
    const sentMs = clock.now()
    const written = await write(around, live, stopped.signal)
    if (E.isRight(written)) [live, renewedMs] = [written.right, sentMs]
    else if (isTaken(written.left)) {
      const read = await session.cluster.get(key)()
      if (E.isLeft(read)) return
      if (read.right !== undefined && holderOf(read.right) === holder) live = read.right
      else lost = read.right === undefined ? 'it was deleted' : `${holderOf(read.right)} took it`
    }
  }
  const keep = async (): Promise<void> => {
    for (let pauseMs = renewMs; ; pauseMs = clock.now() - renewedMs > renewMs ? lookMs : renewMs) {
      await clock.sleep(pauseMs, stopped.signal)
      if (stopped.signal.aborted || lost !== undefined) return
      await renew()
    }
  }
  const kept = keep()
  return {
    check: () => {
      const reason = lost ?? (clock.now() - renewedMs > patienceMs ? 'it could not be renewed' : undefined)
      const help = 'nothing more was changed: run the command again'
      if (reason === undefined) return undefined
      return error('DT3111', `the lock of the environment "${environment}" was lost: ${reason}`, { help })
    },
    release: async () => {
      stopped.abort()
      await kept
      if (live === undefined || lost !== undefined) return
      const free = bodyOf({ ...around, holder: '' }, live)
      for (let tries = 1; tries <= mostReleases; tries += 1) {
        const freed = await session.cluster.replace(key, free, MANAGER)()
        if (E.isRight(freed) || isTaken(freed.left) || freed.left._tag === 'Aborted') return
        await clock.sleep(releasePauseMs)
      }
    },
  }
}

/** DT3110 when somebody else holds it and lives. */
export const acquire =
  ({ clock, machine, progress }: Pick<Ports, 'clock' | 'machine' | 'progress'>) =>
  async (
    session: Pick<Session, 'cluster' | 'namespace'>,
    environment: string,
    locking: Locking,
  ): Promise<E.Either<Diagnostic, Lock>> => {
    const key: ObjectKey = { resource: resources.Lease, namespace: session.namespace, name: recordName(environment) }
    const around: Around = { clock, key, session, holder: machine.holder, environment }
    const taken = await take(around, locking, (text) => progress.tell({ _tag: 'Said', text }))
    return E.isLeft(taken) ? taken : E.right(hold(around, taken.right))
  }
