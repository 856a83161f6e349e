/** Actions get their preconditions from what was seen of their objects. */
import type { Live } from '../cluster/live.ts'
import { type Action, type Bound, type Precondition, type Ref, targetOf } from './action.ts'
import { deleteId } from './ids.ts'

const preconditionOf = (live: Live | undefined): Precondition =>
  live === undefined ? { _tag: 'Absent' } : { _tag: 'Exists', uid: live.metadata.uid }

/** Under the uid of what is there; when nothing is, nothing must be. */
export const bindApply = (action: Action<'Apply'>, live: Live | undefined): Bound<'Apply'> => ({
  ...action,
  precondition: preconditionOf(live),
})

export const bindDelete = (action: Action<'Delete'>, { metadata: { uid } }: Live): Bound<'Delete'> => ({
  ...action,
  precondition: { _tag: 'Exists', uid },
})

export const deletionOf = (
  ref: Ref,
  live: Live,
  reason: Pick<Action<'Delete'>, 'because' | 'propagation'>,
  after: ReadonlyArray<string> = [],
): Bound<'Delete'> => {
  const target = targetOf(ref)
  return bindDelete({ _tag: 'Delete', id: deleteId(target), after, target, ...reason }, live)
}
