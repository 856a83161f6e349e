/** The part of a plan that some services need. Actions that remain are the same as in the whole plan. */
import { SERVICE_LABEL } from '../k8s/labels.ts'
import type { KubeObject } from '../k8s/types.ts'
import { partition } from './action.ts'
import { withAllBefore } from './before.ts'
import type { Plan } from './plan.ts'

/** An Ingress that belongs to no service is included when it routes to an included one. */
const isOf =
  (services: ReadonlySet<string>) =>
  (object: KubeObject): boolean => {
    const owner = object.metadata.labels?.get(SERVICE_LABEL)
    if (owner !== undefined) return services.has(owner)
    if (object.kind !== 'Ingress') return false
    return object.spec.rules.some(({ http }) => http.paths.some(({ backend }) => services.has(backend.service.name)))
  }

/** The objects of `services` (given by object name) and everything they wait for. */
export const partOf = (plan: Plan, services: ReadonlySet<string>): Plan => {
  const isWanted = isOf(services)
  const wanted = partition(plan.actions).Apply.flatMap(({ id, object }) => (isWanted(object) ? [id] : []))
  const kept = withAllBefore(plan, wanted)
  return { ...plan, actions: plan.actions.filter(({ id }) => kept.has(id)) }
}
