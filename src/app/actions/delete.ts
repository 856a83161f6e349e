/** Deletes objects, each only if it is still the one that was seen, and waits until they are gone. */
import * as E from 'fp-ts/lib/Either.js'
import { type Failure, failureDiagnostic, isAbsent, isForbidden, isStale } from '../../domain/cluster/failure.ts'
import { waitsFor } from '../../domain/cluster/finalizers.ts'
import type { Live } from '../../domain/cluster/live.ts'
import { type Resource, showKey } from '../../domain/cluster/resources.ts'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
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
/** So few objects of a kind are asked for one by one. */
const few = 3

/** Gone: also when it was deleted meanwhile. Going: accepted, but still there. Replaced: another object has the name. */
export const deleteObject = async (
  { cluster, namespace, signal }: Deleting,
  { precondition, propagation, target }: Bound<'Delete'>,
): Promise<E.Either<Failure, 'Gone' | 'Going' | 'Replaced'>> => {
  const { _tag, ...expected } = precondition
  const removed = await cluster.remove({ ...target, namespace }, { ...expected, propagation, signal })()
  if (E.isLeft(removed)) return isStale(removed.left) ? E.right('Replaced') : removed
  return E.right(removed.right === 'Absent' ? 'Gone' : 'Going')
}

/** What must not be looked at, or is of a kind that went too, counts as gone. */
const goneInstead = <A>(failure: Failure, none: A): E.Either<Failure, A> =>
  isForbidden(failure) || isAbsent(failure) ? E.right(none) : E.left(failure)

/** What is there of the objects of one kind. */
const presentOf = async (
  { cluster, namespace, signal }: Deleting,
  deletions: ReadonlyArray<Bound<'Delete'>>,
): Promise<E.Either<Failure, ReadonlyArray<Live>>> => {
  const [first] = deletions
  if (first === undefined) return E.right([])
  if (deletions.length > few) {
    const selection = { resource: first.target.resource, namespace }
    const listed = await cluster.list(selection, { isMetadataOnly: true, signal })()
    return E.isLeft(listed) ? goneInstead(listed.left, []) : E.right(listed.right.items)
  }
  const found: Array<Live> = []
  for (const read of await Promise.all(
    deletions.map(({ target }) => cluster.get({ ...target, namespace }, signal)()),
  )) {
    const live = E.isLeft(read) ? goneInstead(read.left, undefined) : read
    if (E.isLeft(live)) return live
    if (live.right !== undefined) found.push(live.right)
  }
  return E.right(found)
}

const pathOf = ({ group, plural }: Resource): string => `${group}/${plural}`

const byKind = (deletions: ReadonlyArray<Bound<'Delete'>>): ReadonlyArray<ReadonlyArray<Bound<'Delete'>>> => {
  const kinds = new Map<string, Array<Bound<'Delete'>>>()
  for (const deletion of deletions) {
    const path = pathOf(deletion.target.resource)
    kinds.set(path, [...(kinds.get(path) ?? []), deletion])
  }
  return [...kinds.values()]
}

/** By uid: what is there of all of them. */
const look = async (
  deleting: Deleting,
  deletions: ReadonlyArray<Bound<'Delete'>>,
): Promise<E.Either<Failure, ReadonlyMap<string, Live>>> => {
  const found = new Map<string, Live>()
  for (const lives of await bounded(byKind(deletions), (kind) => presentOf(deleting, kind))) {
    if (E.isLeft(lives)) return lives
    for (const live of lives.right) found.set(live.metadata.uid, live)
  }
  return E.right(found)
}

/** What has become of a deletion: `undefined` that it is gone, else what it waits for. */
type Tell<D> = (deletion: D, waiting: string | undefined) => void

/** Still there, with what holds it back. */
export type Lasting<D> = { readonly deletion: D; readonly finalizers: ReadonlyArray<string> }

const finalizersOf = (live: Live | undefined): ReadonlyArray<string> => live?.metadata.finalizers ?? []

/** Until none is left, or the signal comes: then those that are left. Fails when that cannot be seen. */
export const awaitGone = async <D extends Bound<'Delete'>>(
  deleting: Deleting,
  deletions: ReadonlyArray<D>,
  tell: Tell<D>,
): Promise<E.Either<Failure, ReadonlyArray<Lasting<D>>>> => {
  const { clock, signal } = deleting
  let left: ReadonlyArray<Lasting<D>> = deletions.map((deletion) => ({ deletion, finalizers: [] }))
  for (let looked = 0; left.length > 0 && !signal.aborted; looked += 1) {
    const found = await look(
      deleting,
      left.map(({ deletion }) => deletion),
    )
    if (signal.aborted) break
    if (E.isLeft(found)) return found
    left = left.flatMap(({ deletion }): ReadonlyArray<Lasting<D>> => {
      const live = found.right.get(deletion.precondition.uid)
      tell(deletion, live === undefined ? undefined : waitsFor(finalizersOf(live)))
      return live === undefined ? [] : [{ deletion, finalizers: finalizersOf(live) }]
    })
    if (left.length > 0) await clock.sleep(pauseAfter(looks, looked), signal)
  }
  return E.right(left)
}

/** Deletes one: `true` when it is gone, `false` when the signal came first. DT3103 when the name is another object's by now. */
export const deleteAndWait = async (
  deleting: Deleting,
  action: Bound<'Delete'>,
  tell: (waiting: string) => void,
): Promise<E.Either<Diagnostic, boolean>> => {
  const deleted = await deleteObject(deleting, action)
  if (E.isLeft(deleted)) return E.left(failureDiagnostic(deleted.left))
  if (deleted.right === 'Replaced') {
    const message = `${showKey(action.target)} was replaced by something else in the meantime`
    return E.left(error('DT3103', message, { help: 'run the command again' }))
  }
  if (deleted.right === 'Gone') return E.right(true)
  const left = await awaitGone(deleting, [action], (_, waiting) => (waiting === undefined ? undefined : tell(waiting)))
  return E.isLeft(left) ? E.left(failureDiagnostic(left.left)) : E.right(left.right.length === 0)
}
