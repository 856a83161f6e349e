/** Which workloads start with fresh data. What a Job did to the old data does not count for them, so it runs again. */
import { allOf, type Observed } from '../cluster/live.ts'
import type { KubeObject } from '../k8s/types.ts'
import { partition } from './action.ts'
import { applyId } from './ids.ts'
import { claimsOf } from './jobs.ts'
import type { Plan } from './plan.ts'
import { isWorkload } from './versions.ts'

type ClaimContext = { readonly plan: Plan; readonly observed: Observed; readonly newClaims: ReadonlySet<string> }

/** Prefixes of the claims made from claim templates: `data-db-` for `data-db-0`. */
const madePrefixes = (observed: Observed): ReadonlySet<string> =>
  new Set(
    allOf(observed, 'PersistentVolumeClaim').flatMap(({ metadata: { name } }) => {
      const prefix = name.replace(/(?<!\d)\d+$/, '')
      return prefix === name ? [] : [prefix]
    }),
  )

/** Whether the object has a claim template of which no claim exists yet. */
const makesClaims = (object: KubeObject, made: ReadonlySet<string>): boolean =>
  object.kind === 'StatefulSet' &&
  (object.spec.volumeClaimTemplates ?? []).some(
    ({ metadata }) => !made.has(`${metadata.name}-${object.metadata.name}-`),
  )

/** By action id of an application: the applications that wait for it. */
const dependentsIn = ({ actions }: Plan): ReadonlyMap<string, ReadonlyArray<string>> => {
  const { Apply, Await } = partition(actions)
  const awaited = new Map(Await.map(({ id, ref }) => [id, ref]))
  const dependents = new Map<string, Array<string>>()
  for (const { after, id } of Apply) {
    for (const other of after) {
      const ref = awaited.get(other)
      if (ref === undefined) continue
      const known = dependents.get(applyId(ref))
      if (known === undefined) dependents.set(applyId(ref), [id])
      else known.push(id)
    }
  }
  return dependents
}

/**
 * Ids of the applications that mount a claim created in this run, or that depend, directly or indirectly, on one that
 * does.
 */
export const onNewClaims = ({ newClaims, observed, plan }: ClaimContext): ReadonlySet<string> => {
  const made = madePrefixes(observed)
  const dependents = dependentsIn(plan)
  const open = partition(plan.actions).Apply.flatMap(({ id, object }) => {
    if (!isWorkload(object)) return []
    const isFresh = claimsOf(object.spec.template).some((name) => newClaims.has(name)) || makesClaims(object, made)
    return isFresh ? [id] : []
  })
  const reached = new Set<string>()
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (reached.has(id)) continue
    reached.add(id)
    for (const next of dependents.get(id) ?? []) open.push(next)
  }
  return reached
}
