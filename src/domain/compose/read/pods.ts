/**
 * Which services share a pod: `network_mode: service:x` puts a service into the pod of x, which may itself be in
 * another one's.
 */
import type { Checked } from '../../checked.ts'
import * as C from '../../checked.ts'
import { type Diagnostic, error } from '../../diagnostic/diagnostic.ts'
import { as } from '../../shape/parse.ts'
import type { Located, ValueOf } from '../../shape/shape.ts'
import type { service } from '../fields/service.ts'
import type { ComposeService, Condition, ServiceDependency, Written } from '../model.ts'
import { findRings, type ServiceNames, unknownService } from './depends-on.ts'

/** `owner` gives the pod its name and its workload; `dependsOn` names owners of other pods. */
export type SharedPod = {
  readonly owner: ComposeService
  /** In file order. */
  readonly joined: ReadonlyArray<ComposeService>
  readonly dependsOn: ReadonlyArray<ServiceDependency>
}

/** What `network_mode` names: a service, or the `container_name` of one. */
const targetOf = ({ value }: Located<string>, { containers }: ServiceNames): string | undefined => {
  if (value.startsWith('service:')) return value.slice('service:'.length)
  return value.startsWith('container:') ? containers.get(value.slice('container:'.length)) : undefined
}

/**
 * The service named by `network_mode: service:…` or `container:…`. Finds DT1013, DT1014 (itself), DT1037 (not enabled).
 */
export const readPodOf = (
  raw: ValueOf<typeof service>['value'],
  name: string,
  names: ServiceNames,
): Checked<ComposeService['podOf']> => {
  const written = raw.network_mode
  const target = written === undefined ? undefined : targetOf(written, names)
  if (written === undefined || target === undefined) return C.ok(undefined)
  const place = { at: written.at, path: written.path }
  if (!names.all.has(target)) return C.fail(unknownService(target, place, names.all))
  if (target === name) return C.fail(error('DT1014', `${name} uses its own network`, place))
  if (!names.enabled.has(target)) {
    const help = 'enable it with --profile'
    return C.fail(error('DT1037', `"${target}" is not enabled by the active profiles`, { ...place, help }))
  }
  return C.ok(as(target, written))
}

/**
 * The service that owns the pod in the end, for each. A service whose pod leads to a cycle, or to an unknown service,
 * owns its own pod.
 */
const ownersOf = (services: ReadonlyArray<ComposeService>): ReadonlyMap<string, ComposeService> => {
  const byName = new Map(services.map((service) => [service.name, service]))
  const ends = new Map<string, ComposeService | undefined>()
  for (const service of services) {
    const way: Array<string> = []
    let at: ComposeService | undefined = service
    while (at?.podOf !== undefined && !ends.has(at.name)) {
      ends.set(at.name, undefined)
      way.push(at.name)
      at = byName.get(at.podOf.value)
    }
    const end = at?.podOf === undefined ? at : ends.get(at.name)
    for (const name of way) ends.set(name, end)
  }
  return new Map(services.map((service) => [service.name, ends.get(service.name) ?? service]))
}

const strictness: { readonly [K in Condition]: number } = {
  service_started: 0,
  service_healthy: 1,
  service_completed_successfully: 2,
}

/** Each pod once, with the strictest condition. */
const joinDependencies = (
  owner: ComposeService,
  all: ReadonlyArray<ServiceDependency>,
  owners: ReadonlyMap<string, ComposeService>,
): ReadonlyArray<ServiceDependency> => {
  const kept = new Map<string, ServiceDependency>()
  for (const wanted of all) {
    const service = owners.get(wanted.service)?.name ?? wanted.service
    const known = kept.get(service)
    if (service === owner.name) continue
    if (known === undefined || strictness[wanted.condition] > strictness[known.condition])
      kept.set(service, { ...wanted, service })
  }
  return [...kept.values()]
}

/** In the order of their owners. */
export const podsOf = (services: ReadonlyArray<ComposeService>): ReadonlyArray<SharedPod> => {
  if (services.every(({ podOf }) => podOf === undefined))
    return services.map((owner) => ({ owner, joined: [], dependsOn: owner.dependsOn }))
  const owners = ownersOf(services)
  const joined = new Map<string, Array<ComposeService>>()
  for (const service of services) {
    const owner = owners.get(service.name)
    if (owner === undefined || owner === service) continue
    const others = joined.get(owner.name)
    if (others === undefined) joined.set(owner.name, [service])
    else others.push(service)
  }
  return services
    .filter((service) => owners.get(service.name) === service)
    .map((owner) => {
      const members = joined.get(owner.name) ?? []
      const wanted = [owner, ...members].flatMap(({ dependsOn }) => dependsOn)
      return { owner, joined: members, dependsOn: joinDependencies(owner, wanted, owners) }
    })
}

const asDependency = ({ value, at, path }: Written<string>): ServiceDependency => ({
  service: value,
  condition: 'service_started',
  at,
  path,
})

/** DT1014 for services that wait for each other or share each other's network; otherwise for pods that do. */
export const findPodRings = (services: ReadonlyArray<ComposeService>): ReadonlyArray<Diagnostic> => {
  const found = findRings(
    services.map(({ name, dependsOn, podOf }) => ({
      name,
      dependsOn: podOf === undefined ? dependsOn : [...dependsOn, asDependency(podOf)],
    })),
  )
  if (found.length > 0 || services.every(({ podOf }) => podOf === undefined)) return found
  return findRings(podsOf(services).map(({ owner, dependsOn }) => ({ name: owner.name, dependsOn })))
}
