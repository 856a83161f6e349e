/** Whether a Job works on fresh data: then what it once did to the old data says nothing. */
import { allOf, type Observed } from '../cluster/live.ts'
import type { KubeObject } from '../k8s/types.ts'
import { applyId } from '../plan/ids.ts'
import type { Action, Plan } from '../plan/plan.ts'
import { claimsOf } from './jobs.ts'
import { isWorkload } from './versions.ts'

type Wanted = Extract<Action, { readonly _tag: 'Apply' }>
type Around = { readonly plan: Plan; readonly observed: Observed; readonly newClaims: ReadonlySet<string> }

/** Claims that a template makes, of which none is there yet. */
const makesClaims = (object: KubeObject, observed: Observed): boolean => {
  if (object.kind !== 'StatefulSet') return false
  const claims = allOf(observed, 'PersistentVolumeClaim').map(({ metadata: { name } }) => name)
  return (object.spec.volumeClaimTemplates ?? []).some(({ metadata }) => {
    const prefix = `${metadata.name}-${object.metadata.name}-`
    return !claims.some((name) => name.startsWith(prefix) && /^\d+$/.test(name.slice(prefix.length)))
  })
}

/** The workload and all it waits for, directly or through others. */
const reachedFrom = ({ actions }: Plan, start: Wanted): ReadonlyArray<Wanted> => {
  const byId = new Map(actions.map((action) => [action.id, action]))
  const reached = new Map<string, Wanted>()
  const open: Array<Wanted> = [start]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (reached.has(next.id)) continue
    reached.set(next.id, next)
    for (const id of next.after) {
      const awaited = byId.get(id)
      const target = awaited?._tag === 'Await' ? byId.get(applyId(awaited.ref)) : undefined
      if (target?._tag === 'Apply') open.push(target)
    }
  }
  return [...reached.values()]
}

/** A claim that the Job, or what it depends on, mounts was made in this run. */
export const hasNewClaim = ({ newClaims, observed, plan }: Around, job: Wanted): boolean =>
  reachedFrom(plan, job).some(
    ({ object }) =>
      isWorkload(object) &&
      (claimsOf(object.spec.template).some((name) => newClaims.has(name)) || makesClaims(object, observed)),
  )
