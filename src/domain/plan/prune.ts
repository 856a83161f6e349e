/** What an earlier deploy made and the file no longer has. */

import { type Live, labelOf, type Observed } from '../cluster/live.ts'
import { SERVICE_LABEL } from '../k8s/labels.ts'
import { type Delete, deleteId } from './change.ts'
import { isKept, isTranslated } from './ownership.ts'
import type { Plan, Ref } from './plan.ts'
import { refOf, showRef } from './plan.ts'

const prunable = ['Deployment', 'StatefulSet', 'DaemonSet', 'Job', 'Service', 'Ingress', 'ConfigMap', 'Secret'] as const

/** `switchedOff`: services of the file outside the active profiles, which stay. */
type Around = { readonly plan: Plan; readonly observed: Observed; readonly switchedOff: ReadonlySet<string> }

/** Only what carries our label, is not wanted, and is no claim: data is never pruned. */
export const pruneChanges = ({ observed, plan, switchedOff }: Around): ReadonlyArray<Delete> => {
  const wanted = new Set(
    plan.actions.flatMap((action) => (action._tag === 'Apply' ? [showRef(refOf(action.object))] : [])),
  )
  /** What no service owns may be what such a service reads. */
  const isForSwitchedOff = (live: Live): boolean => {
    const service = labelOf(live, SERVICE_LABEL)
    return service === undefined ? switchedOff.size > 0 : switchedOff.has(service)
  }
  const isStale = (ref: Ref, live: Live): boolean =>
    isTranslated(live, plan.environment) && !wanted.has(showRef(ref)) && !isKept(live) && !isForSwitchedOff(live)
  return prunable.flatMap((kind) =>
    [...(observed.get(kind)?.values() ?? [])].flatMap((live): ReadonlyArray<Delete> => {
      const ref: Ref = { kind, name: live.metadata.name }
      const { uid } = live.metadata
      const because = 'the file no longer has it'
      return isStale(ref, live)
        ? [{ _tag: 'Delete', id: deleteId(ref), after: [], ref, uid, propagation: 'Background', because }]
        : []
    }),
  )
}
