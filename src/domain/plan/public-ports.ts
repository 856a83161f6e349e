/** The ports that the Ingresses of a plan reach. */
import { SERVICE_LABEL } from '../k8s/labels.ts'
import type { KubeObject } from '../k8s/types.ts'

/** Container ports by the object name of their service. */
export const publicPortsOf = (objects: Iterable<KubeObject>): ReadonlyMap<string, ReadonlyArray<number>> => {
  const all = [...objects]
  const services = new Map(all.flatMap((object) => (object.kind === 'Service' ? [[object.metadata.name, object]] : [])))
  const found = new Map<string, Set<number>>()
  for (const object of all) {
    if (object.kind !== 'Ingress') continue
    for (const { backend } of object.spec.rules.flatMap(({ http: { paths } }) => paths)) {
      const { name, port } = backend.service
      const behind = services.get(name)
      const target = behind?.spec.ports?.find((each) => each.port === port.number)?.targetPort
      const service = behind?.metadata.labels?.get(SERVICE_LABEL)
      if (service === undefined || target === undefined) continue
      found.set(service, (found.get(service) ?? new Set<number>()).add(target))
    }
  }
  return new Map([...found].map(([service, ports]) => [service, [...ports]]))
}
