/** Deletes many objects at once and waits until they are truly gone. */

import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { failureDiagnostic, isForbidden } from '../../domain/cluster/failure.ts'
import { resources, showKey } from '../../domain/cluster/resources.ts'
import { usersOf } from '../../domain/destroy/claims.ts'
import { type Remaining, usedClaim } from '../../domain/destroy/findings.ts'
import type { Deletion } from '../../domain/destroy/plan.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import type { StepState } from '../../domain/progress/event.ts'
import { type Backoff, pauseAfter } from '../../domain/time/backoff.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Progress } from '../../ports/progress.ts'
import { awaitGone, deleteObject } from '../actions/delete.ts'
import { bounded } from '../concurrency/bounded.ts'
import type { Target } from '../context/target.ts'
import type { Lock } from '../environment/lock.ts'

export type Removing = {
  readonly target: Pick<Target, 'cluster' | 'namespace'>
  readonly clock: Clock
  readonly progress: Progress
  readonly lock: Pick<Lock, 'check'>
  readonly signal: AbortSignal
}

const looks: Backoff = { firstMs: 100, longestMs: 2000, factor: 1.5 }
/** A pod that is not marked for deletion yet may be about to be. */
const graceMs = 5000

const tell = ({ clock, progress }: Removing, { target }: Deletion, state: StepState, detail: string): void => {
  const id = showKey(target)
  progress.tell({ _tag: 'Step', id, title: id, state, detail, atMs: clock.now() })
}

const deletingOf = ({ clock, target: { cluster, namespace }, signal }: Removing) => ({
  cluster,
  clock,
  namespace,
  signal,
})

const ends = { Gone: 'deleted', Replaced: 'replaced by another object' } as const

/** `going`: accepted, but still there. */
export type Removed = { readonly going: ReadonlyArray<Deletion>; readonly findings: ReadonlyArray<Diagnostic> }

/**
 * Tries every deletion, even after a refusal. An object that was replaced counts as gone; the next round finds the new
 * one.
 */
export const removeAll = async (removing: Removing, deletions: ReadonlyArray<Deletion>): Promise<Removed> => {
  const { lock, signal } = removing
  const going: Array<Deletion> = []
  const findings: Array<Diagnostic> = []
  await bounded(deletions, async (deletion) => {
    const lost = await lock.check()
    if (lost !== undefined && !findings.includes(lost)) findings.push(lost)
    if (lost !== undefined || signal.aborted) return
    tell(removing, deletion, 'Running', 'deleting')
    const deleted = await deleteObject(deletingOf(removing), deletion)()
    if (E.isRight(deleted)) {
      if (deleted.right === 'Going') going.push(deletion)
      else tell(removing, deletion, 'Done', ends[deleted.right])
    } else if (!signal.aborted) {
      findings.push(failureDiagnostic(deleted.left))
      tell(removing, deletion, 'Failed', 'refused')
    }
  })
  return { going, findings: uniqueOf(findings) }
}

/** A lost lock is reported once, however many deletions notice it. */
const uniqueOf = (findings: ReadonlyArray<Diagnostic>): ReadonlyArray<Diagnostic> => [
  ...new Map(findings.map((found) => [`${found.code} ${found.message}`, found])).values(),
]

/** Reports these deletions without waiting: the cluster completes them. */
export const leaveGoing = (removing: Removing, going: ReadonlyArray<Deletion>): void => {
  for (const deletion of going) tell(removing, deletion, 'Done', 'being deleted')
}

type Waited = { readonly remaining: ReadonlyArray<Remaining>; readonly findings: ReadonlyArray<Diagnostic> }

/** Waits until none is left or the signal is aborted; then reports what is left and what keeps it. */
export const awaitAllGone = (removing: Removing, deletions: ReadonlyArray<Deletion>): Promise<Waited> => {
  const told = (deletion: Deletion, waiting: string | undefined): void =>
    waiting === undefined ? tell(removing, deletion, 'Done', ends.Gone) : tell(removing, deletion, 'Running', waiting)
  const waited = pipe(
    awaitGone(deletingOf(removing), deletions, told),
    TE.match(
      (failure): Waited => ({ remaining: [], findings: [failureDiagnostic(failure)] }),
      (left) => ({
        remaining: left.map(({ deletion, finalizers, waiting }) => ({
          id: showKey(deletion.target),
          finalizers,
          waiting,
        })),
        findings: [],
      }),
    ),
  )
  return waited()
}

/** `waiting`: the claims that were still in use when the signal was aborted. */
export type Freed = {
  readonly free: ReadonlyArray<Deletion>
  readonly findings: ReadonlyArray<Diagnostic>
  readonly waiting: ReadonlyArray<Remaining>
}

/** Claims that no pod uses any more. DT3306 for those still in use by pods that stay. */
export const awaitUnused = async (removing: Removing, claims: ReadonlyArray<Deletion>): Promise<Freed> => {
  const { clock, signal } = removing
  const { cluster, namespace } = removing.target
  const names = new Set(claims.map(({ target }) => target.name))
  const sinceMs = clock.now()
  let waitingFor = (_claim: string): string => 'waiting for the pods that use it'
  for (let looked = 0; !signal.aborted; looked += 1) {
    const listed = await cluster.list({ resource: resources.Pod, namespace }, { signal })()
    // Without permission to list pods, the cluster is relied on, which protects claims in use.
    if (E.isLeft(listed) && isForbidden(listed.left)) return { free: claims, findings: [], waiting: [] }
    const users = E.isLeft(listed) ? undefined : usersOf(names, listed.right.items)
    const staying = users?.filter(({ isGoing }) => !isGoing) ?? []
    const isSettled = staying.length === 0 || clock.now() - sinceMs >= graceMs
    if (users !== undefined && users.every(({ isGoing }) => !isGoing) && isSettled) {
      const used = new Set(staying.map(({ claim }) => claim))
      for (const claim of claims)
        if (used.has(claim.target.name)) tell(removing, claim, 'Skipped', 'used by a pod that is kept')
      const podsOf = (name: string) => staying.flatMap(({ claim, pod }) => (claim === name ? [pod] : []))
      return {
        free: claims.filter(({ target }) => !used.has(target.name)),
        findings: [...used].map((claim) => usedClaim(claim, podsOf(claim))),
        waiting: [],
      }
    }
    if (users !== undefined && users.length > 0) {
      waitingFor = (name) => {
        const pods = users.flatMap(({ claim, pod }) => (claim === name ? [`Pod/${pod}`] : []))
        return `waiting for the pods that use it${pods.length === 0 ? '' : `: ${pods.join(', ')}`}`
      }
    }
    for (const claim of claims) tell(removing, claim, 'Waiting', waitingFor(claim.target.name))
    await clock.sleep(pauseAfter(looks, looked), signal)
  }
  const waiting = claims.map(({ target }) => ({
    id: showKey(target),
    finalizers: [],
    waiting: waitingFor(target.name),
  }))
  return { free: [], findings: [], waiting }
}
