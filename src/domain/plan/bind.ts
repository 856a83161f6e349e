/** Actions get their preconditions from what was seen of their objects. */
import type { ClusterObject } from '../cluster/live.ts'
import { type Action, type ActionTarget, type Bound, type Exists } from './action.ts'
import { deleteId } from './ids.ts'

/** It must still be this object; it may have changed. */
export const existing = ({ metadata: { uid } }: ClusterObject): Exists => ({ _tag: 'Exists', uid })

/** Under the uid of what is there; when nothing is, nothing must be. */
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
