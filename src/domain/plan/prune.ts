/** What an earlier deploy made and the file no longer has. */
import { allOf, type ClusterObject, labelOf, type Observed } from '../cluster/live.ts'
import { showKey } from '../cluster/resources.ts'
import { SERVICE_LABEL } from '../k8s/labels.ts'
import { type Bound, partition, type Ref, refOf, showRef, targetOf } from './action.ts'
import { bindDeletion } from './bind.ts'
import { isKept, isTranslated } from './ownership.ts'
import type { Plan } from './plan.ts'

const prunable = ['Deployment', 'StatefulSet', 'DaemonSet', 'Job', 'Service', 'Ingress', 'ConfigMap', 'Secret'] as const

/** `switchedOff`: services of the file outside the active profiles, which stay. */
type Around = { readonly plan: Plan; readonly observed: Observed; readonly switchedOff: ReadonlySet<string> }

/** Only what carries our label, is not wanted, and is no claim: data is never pruned. */
export const pruneActions = ({ observed, plan, switchedOff }: Around): ReadonlyArray<Bound<'Delete'>> => {
  const { Apply, Patch, Scale } = partition(plan.actions)
  const wanted = new Set([
    ...Apply.map(({ object }) => showRef(refOf(object))),
    ...[...Scale, ...Patch].map(({ target }) => showKey(target)),
  ])
  /** What no service owns may be what such a service reads. */
  const isForSwitchedOff = (live: ClusterObject): boolean => {
    const service = labelOf(live, SERVICE_LABEL)
    return service === undefined ? switchedOff.size > 0 : switchedOff.has(service)
  }
  const isStale = (ref: Ref, live: ClusterObject): boolean =>
    isTranslated(live, plan.environment) && !wanted.has(showRef(ref)) && !isKept(live) && !isForSwitchedOff(live)
  return prunable.flatMap((kind) =>
    allOf(observed, kind).flatMap((live): ReadonlyArray<Bound<'Delete'>> => {
      const ref: Ref = { kind, name: live.metadata.name }
      const reason = { propagation: 'Background', because: 'no longer in the file' } as const
      return isStale(ref, live) ? [bindDeletion(targetOf(ref), live, reason)] : []
    }),
  )
}
