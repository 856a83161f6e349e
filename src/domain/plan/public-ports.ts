/** The ports that the Ingresses of a plan route to. */
import { SERVICE_LABEL } from '../k8s/labels.ts'
import type { KubeObject } from '../k8s/types.ts'

/** `port`: of a container; `backend`: the name of the Service through which an Ingress reaches it. */
export type PublicPort = { readonly port: number; readonly backend: string }

/** Keyed by the object name of their service. */
export const publicPortsOf = (objects: Iterable<KubeObject>): ReadonlyMap<string, ReadonlyArray<PublicPort>> => {
  const all = [...objects]
  const services = new Map(all.flatMap((object) => (object.kind === 'Service' ? [[object.metadata.name, object]] : [])))
  const found = new Map<string, Map<string, PublicPort>>()
  for (const object of all) {
    if (object.kind !== 'Ingress') continue
    for (const { backend } of object.spec.rules.flatMap(({ http: { paths } }) => paths)) {
      const { name, port } = backend.service
      const behind = services.get(name)
      const target = behind?.spec.ports?.find((each) => each.port === port.number)?.targetPort
      const service = behind?.metadata.labels?.get(SERVICE_LABEL)
      if (service === undefined || target === undefined) continue
      const known = found.get(service) ?? new Map<string, PublicPort>()
      found.set(service, known.set(`${name} ${target}`, { port: target, backend: name }))
    }
  }
  return new Map([...found].map(([service, ports]) => [service, [...ports.values()]]))
}
