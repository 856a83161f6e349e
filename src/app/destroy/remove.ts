/** Deletes many objects at once and waits until they are truly gone. */

import * as E from 'fp-ts/lib/Either.js'
import { failureDiagnostic, isForbidden, isStale } from '../../domain/cluster/failure.ts'
import type { Live } from '../../domain/cluster/live.ts'
import { type Resource, resources } from '../../domain/cluster/resources.ts'
import { usersOf } from '../../domain/destroy/claims.ts'
import { type Remaining, usedClaim, waitsFor } from '../../domain/destroy/findings.ts'
import type { Deletion } from '../../domain/destroy/plan.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import type { StepState } from '../../domain/progress/event.ts'
import { type Backoff, pauseAfter } from '../../domain/time/backoff.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Progress } from '../../ports/progress.ts'
import { bounded } from '../concurrency/bounded.ts'
import type { Session } from '../context/target.ts'
import type { Lock } from '../environment/lock.ts'

export type Removing = {
  readonly session: Pick<Session, 'cluster' | 'namespace'>
  readonly clock: Clock
  readonly progress: Progress
  readonly lock: Pick<Lock, 'check'>
  readonly signal: AbortSignal
}

const looks: Backoff = { firstMs: 100, longestMs: 2000, factor: 1.5 }
/** So few objects of a kind are asked for one by one. */
const few = 3
/** A pod that nobody has marked for deletion may be about to be told. */
const graceMs = 5000

const tell = ({ clock, progress }: Removing, { id }: Deletion, state: StepState, detail: string): void =>
  progress.tell({ _tag: 'Step', id, title: id, state, detail, atMs: clock.now() })

/** `going`: accepted, but still there. */
export type Removed = { readonly going: ReadonlyArray<Deletion>; readonly findings: ReadonlyArray<Diagnostic> }

/** Whatever is refused, all others are tried. What is another object by now counts as gone: it is looked at again. */
export const removeAll = async (removing: Removing, deletions: ReadonlyArray<Deletion>): Promise<Removed> => {
  const { lock, session, signal } = removing
  const going: Array<Deletion> = []
  const findings: Array<Diagnostic> = []
  await bounded(deletions, async (deletion) => {
    const lost = lock.check()
    if (lost !== undefined && !findings.includes(lost)) findings.push(lost)
    if (lost !== undefined || signal.aborted) return
    const { key, propagation, uid } = deletion
    tell(removing, deletion, 'Running', 'deleting')
    const removed = await session.cluster.remove(key, { uid, propagation, signal })()
    if (E.isRight(removed)) {
      if (removed.right === 'Going') going.push(deletion)
      else tell(removing, deletion, 'Done', 'deleted')
    } else if (isStale(removed.left)) tell(removing, deletion, 'Done', 'replaced by another object')
    else if (!signal.aborted) {
      findings.push(failureDiagnostic(removed.left))
      tell(removing, deletion, 'Failed', 'refused')
    }
  })
  return { going, findings: uniqueOf(findings) }
}

/** A lost lock is told once, however many notice it. */
const uniqueOf = (findings: ReadonlyArray<Diagnostic>): ReadonlyArray<Diagnostic> => [
  ...new Map(findings.map((found) => [`${found.code} ${found.message}`, found])).values(),
]

const pathOf = ({ group, plural }: Resource): string => `${group}/${plural}`

/** What is still there of objects of one kind. `undefined` when that cannot be told now. */
const presentOf = async (
  { session: { cluster, namespace }, signal }: Removing,
  deletions: ReadonlyArray<Deletion>,
): Promise<ReadonlyArray<Live> | undefined> => {
  const resource = deletions[0]?.key.resource
  if (resource === undefined) return []
  if (deletions.length <= few) {
    const reads = await Promise.all(deletions.map(({ key }) => cluster.get(key, signal)()))
    if (reads.some((read) => E.isLeft(read) && !isForbidden(read.left))) return undefined
    return reads.flatMap((read) => (E.isRight(read) && read.right !== undefined ? [read.right] : []))
  }
  const listed = await cluster.list({ resource, namespace }, { isMetadataOnly: true, signal })()
  if (E.isRight(listed)) return listed.right.items
  return isForbidden(listed.left) ? [] : undefined
}

type Waited = { readonly deletion: Deletion; readonly live?: Live }

/** One look at all of them; those of a kind that could not be looked at count as they did before. */
const look = async (removing: Removing, waited: ReadonlyArray<Waited>): Promise<ReadonlyArray<Waited>> => {
  const kinds = new Map<string, ReadonlyArray<Waited>>()
  for (const one of waited) {
    const path = pathOf(one.deletion.key.resource)
    kinds.set(path, [...(kinds.get(path) ?? []), one])
  }
  const left = await bounded([...kinds.values()], async (group) => {
    const present = await presentOf(
      removing,
      group.map(({ deletion }) => deletion),
    )
    if (present === undefined) return group
    const byUid = new Map(present.map((live) => [live.metadata.uid, live]))
    return group.flatMap(({ deletion }): ReadonlyArray<Waited> => {
      const live = byUid.get(deletion.uid)
      return live === undefined ? [] : [{ deletion, live }]
    })
  })
  return left.flat()
}

/** Until none is left or the signal comes; then tells what is left and what holds it back. */
export const awaitGone = async (
  removing: Removing,
  deletions: ReadonlyArray<Deletion>,
): Promise<ReadonlyArray<Remaining>> => {
  const { clock, signal } = removing
  let waited: ReadonlyArray<Waited> = deletions.map((deletion) => ({ deletion }))
  for (let looked = 0; waited.length > 0 && !signal.aborted; looked += 1) {
    const left = await look(removing, waited)
    const uids = new Set(left.map(({ deletion }) => deletion.uid))
    for (const { deletion } of waited) if (!uids.has(deletion.uid)) tell(removing, deletion, 'Done', 'deleted')
    for (const { deletion, live } of left)
      if (live !== undefined) tell(removing, deletion, 'Running', waitsFor(live.metadata.finalizers ?? []))
    waited = left
    if (waited.length > 0) await clock.sleep(pauseAfter(looks, looked), signal)
  }
  return waited.map(({ deletion, live }) => ({ id: deletion.id, finalizers: live?.metadata.finalizers ?? [] }))
}

export type Freed = { readonly free: ReadonlyArray<Deletion>; readonly findings: ReadonlyArray<Diagnostic> }

/** Claims that no pod uses any more. DT3306 for those that pods use which stay. */
export const awaitUnused = async (removing: Removing, claims: ReadonlyArray<Deletion>): Promise<Freed> => {
  const { clock, session, signal } = removing
  const names = new Set(claims.map(({ key }) => key.name))
  const sinceMs = clock.now()
  for (let looked = 0; !signal.aborted; looked += 1) {
    const { namespace } = session
    const listed = await session.cluster.list({ resource: resources.Pod, namespace }, { signal })()
    // Who may not see pods leaves it to the cluster, which protects claims that are in use.
    if (E.isLeft(listed) && isForbidden(listed.left)) return { free: claims, findings: [] }
    const users = E.isLeft(listed) ? undefined : usersOf(names, listed.right.items)
    const staying = users?.filter(({ isGoing }) => !isGoing) ?? []
    const isSettled = staying.length === 0 || clock.now() - sinceMs >= graceMs
    if (users !== undefined && users.every(({ isGoing }) => !isGoing) && isSettled) {
      const used = new Set(staying.map(({ claim }) => claim))
      for (const claim of claims)
        if (used.has(claim.key.name)) tell(removing, claim, 'Skipped', 'used by a pod that is kept')
      const podsOf = (name: string) => staying.flatMap(({ claim, pod }) => (claim === name ? [pod] : []))
      return {
        free: claims.filter(({ key }) => !used.has(key.name)),
        findings: [...used].map((claim) => usedClaim(claim, podsOf(claim))),
      }
    }
    for (const claim of claims) tell(removing, claim, 'Waiting', 'waiting for the pods that use it')
    await clock.sleep(pauseAfter(looks, looked), signal)
  }
  return { free: [], findings: [] }
}
