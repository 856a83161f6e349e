/** Finds objects that an earlier deploy created and that are no longer in the file. */
import { allOf, type ClusterObject, labelOf, type Observed } from '../cluster/live.ts'
import { neededBy } from '../cluster/needs.ts'
import { showKey } from '../cluster/resources.ts'
import { SERVICE_LABEL } from '../k8s/labels.ts'
import { type Bound, partition, type Ref, refOf, showRef, targetOf } from './action.ts'
import { bindDeletion } from './bind.ts'
import { isKept, isTranslated } from './ownership.ts'
import type { Plan } from './plan.ts'

const prunable = ['Deployment', 'StatefulSet', 'DaemonSet', 'Job', 'Service', 'Ingress', 'ConfigMap', 'Secret'] as const

/** `switchedOff`: services in the file that are outside the active profiles; they are kept. */
type PruneContext = { readonly plan: Plan; readonly observed: Observed; readonly switchedOff: ReadonlySet<string> }

/**
 * Only objects that carry our label and are not in the plan, and that no kept workload needs. Claims are never pruned,
 * since they hold data.
 */
export const pruneActions = ({ observed, plan, switchedOff }: PruneContext): ReadonlyArray<Bound<'Delete'>> => {
  const { Apply, Patch, Scale } = partition(plan.actions)
  const all = [...observed.values()].flatMap((lives) => [...lives.values()])
  const wanted = new Set([
    ...Apply.map(({ object }) => showRef(refOf(object))),
    ...[...Scale, ...Patch].map(({ target }) => showKey(target)),
    ...neededBy(all.filter(isKept), all).keys(),
  ])
  /** Objects without a service may be shared, so a disabled service may still need them. */
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
