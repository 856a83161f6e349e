/** Deletes objects, each only if it is still the one that was read, and waits until they are gone. */

import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Task } from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Failure, failureDiagnostic, isAbsent, isForbidden, isStale } from '../../domain/cluster/failure.ts'
import { isHeldByPods, waitsFor } from '../../domain/cluster/finalizers.ts'
import { podsHolding } from '../../domain/cluster/holders.ts'
import type { ClusterObject } from '../../domain/cluster/live.ts'
import { type Resource, resources, showKey } from '../../domain/cluster/resources.ts'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import { grouped } from '../../domain/object/grouped.ts'
import type { Bound } from '../../domain/plan/action.ts'
import { type Backoff, pauseAfter } from '../../domain/time/backoff.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Cluster } from '../../ports/cluster.ts'
import { bounded } from '../concurrency/bounded.ts'

type Deleting = {
  readonly cluster: Cluster
  readonly clock: Clock
  readonly namespace: string
  readonly signal: AbortSignal
}

const looks: Backoff = { firstMs: 50, longestMs: 2000, factor: 1.5 }
/** Up to this many objects of a kind are read one by one. */
const few = 3

/** Gone: deleted now or before. Going: accepted, but it still exists. Replaced: another object has the name. */
type Deleted = 'Gone' | 'Going' | 'Replaced'

export const deleteObject = (
  { cluster, namespace, signal }: Deleting,
  { precondition, propagation, target }: Bound<'Delete'>,
): TE.TaskEither<Failure, Deleted> => {
  const { _tag, ...expected } = precondition
  return pipe(
    cluster.remove({ ...target, namespace }, { ...expected, propagation, signal }),
    TE.map((removed): Deleted => (removed === 'Absent' ? 'Gone' : 'Going')),
    TE.orElse((failure) => (isStale(failure) ? TE.of('Replaced') : TE.left(failure))),
  )
}

/** A kind that cannot be read, or was removed meanwhile, counts as having no objects. */
const orGone = <A>(none: A) =>
  TE.orElse((failure: Failure) => (isForbidden(failure) || isAbsent(failure) ? TE.of(none) : TE.left(failure)))

/** The objects of one kind that still exist. */
const presentOf = (
  { cluster, namespace, signal }: Deleting,
  deletions: ReadonlyArray<Bound<'Delete'>>,
): TE.TaskEither<Failure, ReadonlyArray<ClusterObject>> => {
  const [first] = deletions
  if (first === undefined) return TE.of([])
  if (deletions.length > few) {
    return pipe(
      cluster.list({ resource: first.target.resource, namespace }, { isMetadataOnly: true, signal }),
      TE.map(({ items }) => items),
      orGone<ReadonlyArray<ClusterObject>>([]),
    )
  }
  const one = ({ target }: Bound<'Delete'>) =>
    pipe(cluster.get({ ...target, namespace }, signal), orGone<ClusterObject | undefined>(undefined))
  return pipe(
    TE.sequenceArray(deletions.map(one)),
    TE.map((lives) => lives.filter((live) => live !== undefined)),
  )
}

const pathOf = ({ group, plural }: Resource): string => `${group}/${plural}`

const byKind = (deletions: ReadonlyArray<Bound<'Delete'>>): ReadonlyArray<ReadonlyArray<Bound<'Delete'>>> => {
  return [...grouped(deletions, ({ target }) => pathOf(target.resource)).values()]
}

/** The objects that still exist, by uid. */
const look = (
  deleting: Deleting,
  deletions: ReadonlyArray<Bound<'Delete'>>,
): TE.TaskEither<Failure, ReadonlyMap<string, ClusterObject>> => {
  const found: Task<ReadonlyArray<E.Either<Failure, ReadonlyArray<ClusterObject>>>> = () =>
    bounded(byKind(deletions), (kind) => presentOf(deleting, kind)())
  return pipe(
    TE.fromTask(found),
    TE.flatMapEither(E.sequenceArray),
    TE.map((lives) => new Map(lives.flat().map((live) => [live.metadata.uid, live]))),
  )
}

/** Reports the state of a deletion: `undefined` when the object is gone, else what it waits for. */
type Tell<D> = (deletion: D, waiting: string | undefined) => void

/** A deletion that is not finished, and what it waits for. */
export type Lasting<D> = {
  readonly deletion: D
  readonly finalizers: ReadonlyArray<string>
  readonly waiting: string
}

const finalizersOf = (live: ClusterObject | undefined): ReadonlyArray<string> => live?.metadata.finalizers ?? []

/** The pods that keep an object. */
type Holders = (live: ClusterObject) => ReadonlyArray<string>

const unknown: Holders = () => []

/** The pods that keep objects. Pods that cannot be read are left out. */
const holdersIn = async ({ cluster, namespace, signal }: Deleting): Promise<Holders> => {
  const [pods, ...owners] = await Promise.all(
    [resources.Pod, resources.ReplicaSet, resources.Job].map((resource) =>
      pipe(
        cluster.list({ resource, namespace }, { isMetadataOnly: resource.kind !== 'Pod', signal }),
        TE.match(
          (): ReadonlyArray<ClusterObject> => [],
          ({ items }) => items,
        ),
      )(),
    ),
  )
  return (live) => podsHolding(live, pods ?? [], owners.flat())
}

/** How often to look before looking for the pods that hold an object: most objects are gone by then. */
const patience = 4

/**
 * Waits until all objects are gone or the signal is aborted, and returns those that are left. Fails when the cluster
 * cannot be read.
 */
export const awaitGone =
  <D extends Bound<'Delete'>>(
    deleting: Deleting,
    deletions: ReadonlyArray<D>,
    tell: Tell<D>,
  ): TE.TaskEither<Failure, ReadonlyArray<Lasting<D>>> =>
  async () => {
    const { clock, signal } = deleting
    let left: ReadonlyArray<Lasting<D>> = deletions.map((deletion) => ({ deletion, finalizers: [], waiting: '' }))
    for (let looked = 0; left.length > 0 && !signal.aborted; looked += 1) {
      const found = await look(
        deleting,
        left.map(({ deletion }) => deletion),
      )()
      if (signal.aborted) break
      if (E.isLeft(found)) return found
      const isHeld = [...found.right.values()].some((live) => isHeldByPods(finalizersOf(live)))
      const holders = isHeld && looked >= patience ? await holdersIn(deleting) : unknown
      if (signal.aborted) break
      left = left.flatMap(({ deletion }): ReadonlyArray<Lasting<D>> => {
        const live = found.right.get(deletion.precondition.uid)
        if (live === undefined) {
          tell(deletion, undefined)
          return []
        }
        const finalizers = finalizersOf(live)
        const waiting = waitsFor(finalizers, isHeldByPods(finalizers) ? holders(live) : [])
        tell(deletion, waiting)
        return [{ deletion, finalizers, waiting }]
      })
      if (left.length > 0) await clock.sleep(pauseAfter(looks, looked), signal)
    }
    return E.right(left)
  }

const replaced = ({ target }: Bound<'Delete'>): Diagnostic =>
  error('DT3103', `${showKey(target)} was replaced by something else in the meantime`, {
    help: 'run the command again',
  })

/**
 * Deletes one object: `true` when it is gone, `false` when the signal was aborted first. DT3103 when another object has
 * the name by now.
 */
export const deleteAndWait = (
  deleting: Deleting,
  action: Bound<'Delete'>,
  tell: (waiting: string) => void,
): TE.TaskEither<Diagnostic, boolean> => {
  const gone = pipe(
    awaitGone(deleting, [action], (_, waiting) => (waiting === undefined ? undefined : tell(waiting))),
    TE.mapBoth(failureDiagnostic, (left) => left.length === 0),
  )
  return pipe(
    deleteObject(deleting, action),
    TE.mapLeft(failureDiagnostic),
    TE.filterOrElse(
      (deleted) => deleted !== 'Replaced',
      () => replaced(action),
    ),
    TE.flatMap((deleted) => (deleted === 'Gone' ? TE.of(true) : gone)),
  )
}
