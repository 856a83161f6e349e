/** The part of a plan that some services need. Actions that remain are the same as in the whole plan. */
import { SERVICE_LABEL } from '../k8s/labels.ts'
import type { KubeObject, Strings } from '../k8s/types.ts'
import { partition } from './action.ts'
import { withAllBefore } from './before.ts'
import type { Plan } from './plan.ts'
import { isWorkload } from './versions.ts'

/** Labels of the pods of these services. */
const podLabels = (services: ReadonlySet<string>, objects: ReadonlyArray<KubeObject>): ReadonlyArray<Strings> =>
  objects.flatMap((object) =>
    isWorkload(object) && services.has(object.metadata.labels?.get(SERVICE_LABEL) ?? '')
      ? (object.spec.template.metadata.labels ?? [])
      : [],
  )

/** An object without a service is included when it routes to the pods of an included one. */
const isOf = (services: ReadonlySet<string>, objects: ReadonlyArray<KubeObject>): ((object: KubeObject) => boolean) => {
  const pods = podLabels(services, objects)
  return (object) => {
    const owner = object.metadata.labels?.get(SERVICE_LABEL)
    if (owner !== undefined) return services.has(owner)
    if (object.kind === 'Service') {
      const selector = [...object.spec.selector]
      return pods.some((labels) => selector.every(([key, value]) => labels.get(key) === value))
    }
    if (object.kind !== 'Ingress') return false
    return object.spec.rules.some(({ http }) => http.paths.some(({ backend }) => services.has(backend.service.name)))
  }
}

/** The objects of `services` (given by object name) and everything they wait for. */
export const partOf = (plan: Plan, services: ReadonlySet<string>): Plan => {
  const { Apply } = partition(plan.actions)
  const isWanted = isOf(
    services,
    Apply.map(({ object }) => object),
  )
  const wanted = Apply.flatMap(({ id, object }) => (isWanted(object) ? [id] : []))
  const kept = withAllBefore(plan, wanted)
  return { ...plan, actions: plan.actions.filter(({ id }) => kept.has(id)) }
}
