/** Gives actions their preconditions, from the objects found in the cluster. */
import type { ClusterObject } from '../cluster/live.ts'
import { type Action, type ActionTarget, type Bound, type Exists } from './action.ts'
import { deleteId } from './ids.ts'

/** It must still be the same object, though it may have changed. */
export const existing = ({ metadata: { uid } }: ClusterObject): Exists => ({ _tag: 'Exists', uid })

/** Applies to the object that was found, by uid; if none was found, none may exist. */
export const bindApply = (action: Action<'Apply'>, live: ClusterObject | undefined): Bound<'Apply'> => ({
  ...action,
  precondition: live === undefined ? { _tag: 'Absent' } : existing(live),
})

export const bindDeletion = (
  target: ActionTarget,
  live: ClusterObject,
  reason: Pick<Action<'Delete'>, 'because' | 'propagation'>,
  after: ReadonlyArray<string> = [],
): Bound<'Delete'> => ({
  _tag: 'Delete',
  id: deleteId(target),
  after,
  target,
  ...reason,
  precondition: existing(live),
})
