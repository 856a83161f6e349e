/** Deletes one object and waits until it is gone. */

import * as E from 'fp-ts/lib/Either.js'
import { failureDiagnostic, isStale } from '../../domain/cluster/failure.ts'
import type { Live } from '../../domain/cluster/live.ts'
import type { ObjectKey } from '../../domain/cluster/resources.ts'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import { type Backoff, pauseAfter } from '../../domain/time/backoff.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Cluster, RemoveOptions } from '../../ports/cluster.ts'

const looks: Backoff = { firstMs: 50, longestMs: 2000 }

export type Removing = { readonly cluster: Cluster; readonly clock: Clock; readonly signal: AbortSignal }

/** What keeps it: `waiting for the finalizers a, b`. */
const holdsBack = ({ metadata: { finalizers = [] } }: Live): string =>
  finalizers.length === 0 ? 'still there' : `waiting for ${finalizers.join(', ')}`

/** `true` when it is gone, `false` when the signal came first. Another object of that name counts as gone. */
const awaitAbsence = async (
  { clock, cluster, signal }: Removing,
  key: ObjectKey,
  uid: string,
  tell: (detail: string) => void,
): Promise<E.Either<Diagnostic, boolean>> => {
  for (let looked = 0; !signal.aborted; looked += 1) {
    const read = await cluster.get(key, signal)()
    if (E.isLeft(read)) {
      if (signal.aborted) break
      return E.left(failureDiagnostic(read.left))
    }
    if (read.right === undefined || read.right.metadata.uid !== uid) return E.right(true)
    tell(holdsBack(read.right))
    await clock.sleep(pauseAfter(looks, looked), signal)
  }
  return E.right(false)
}

/** Whatever was deleted meanwhile is gone as well. DT3103 when the name is another object's by now. */
export const removeObject = async (
  removing: Removing,
  key: ObjectKey,
  options: RemoveOptions & { readonly uid: string },
  tell: (detail: string) => void,
): Promise<E.Either<Diagnostic, boolean>> => {
  const removed = await removing.cluster.remove(key, { ...options, signal: removing.signal })()
  if (E.isLeft(removed)) {
    if (!isStale(removed.left)) return E.left(failureDiagnostic(removed.left))
    const name = `${key.resource.kind}/${key.name}`
    return E.left(
      error('DT3103', `${name} was replaced by something else in the meantime`, { help: 'run the command again' }),
    )
  }
  return removed.right === 'Absent' ? E.right(true) : awaitAbsence(removing, key, options.uid, tell)
}
