/** Health checks that reach their own service by name, which a Service that waits for readiness never resolves. */
import type { Checked } from '../../checked.ts'
import * as C from '../../checked.ts'
import { type Diagnostic, warning } from '../../diagnostic/diagnostic.ts'
import type { ComposeService } from '../model.ts'
import { type ByName, byNames, type Mention, type Mentions } from './mentions.ts'

/** Dependencies first. */
const ordered = (byName: ByName, services: ReadonlyArray<ComposeService>): ReadonlyArray<ComposeService> => {
  const order: Array<ComposeService> = []
  const seen = new Set<ComposeService>()
  for (const root of services) {
    const todo = [{ service: root, isDone: false }]
    for (let step = todo.pop(); step !== undefined; step = todo.pop()) {
      const { isDone, service } = step
      if (isDone) order.push(service)
      if (isDone || seen.has(service)) continue
      seen.add(service)
      todo.push({ service, isDone: true })
      for (const { service: name } of service.dependsOn) {
        const other = byName.get(name)
        if (other !== undefined && !seen.has(other)) todo.push({ service: other, isDone: false })
      }
    }
  }
  return order
}

/** How many services one pass follows: each is a bit of a 32-bit number. */
const atOnce = 31

/** A check of `service` that names `target`. */
type NamedTarget = { readonly service: ComposeService; readonly target: ComposeService; readonly host: string }

/** The checks whose target depends on the service, directly or through others. */
const circular = (
  order: ReadonlyArray<ComposeService>,
  byName: ByName,
  named: ReadonlyArray<NamedTarget>,
): ReadonlyArray<NamedTarget> => {
  const found: Array<NamedTarget> = []
  for (let start = 0; start < named.length; start += atOnce) {
    const some = named.slice(start, start + atOnce)
    const bits = new Map<ComposeService, number>()
    const reached = new Map<ComposeService, number>()
    for (const [index, { service }] of some.entries()) bits.set(service, (bits.get(service) ?? 0) | (1 << index))
    for (const service of order) {
      let mask = bits.get(service) ?? 0
      for (const { service: name } of service.dependsOn) {
        const other = byName.get(name)
        if (other !== undefined) mask |= reached.get(other) ?? 0
      }
      if (mask !== 0) reached.set(service, mask)
    }
    for (const [index, one] of some.entries())
      if (((reached.get(one.target) ?? 0) & (1 << index)) !== 0) found.push(one)
  }
  return found
}

/** The services that the check of a service names. */
const targetsOf = (
  byName: ByName,
  service: ComposeService,
  mentions: ReadonlyArray<Mention>,
): ReadonlyArray<NamedTarget> => {
  const hasPorts = service.ports.some(({ isMentioned }) => isMentioned !== true)
  if (!hasPorts || service.healthcheck?.readiness !== true) return []
  const addresses = mentions.filter(({ isCheck }) => isCheck).flatMap((mention) => mention.addresses)
  return addresses.flatMap(({ host }) => {
    const target = byName.get(host)
    return target === undefined ? [] : [{ service, target, host }]
  })
}

/** Marks the services whose Services must publish addresses that are not ready yet. Warns DT1124. */
export const markSelfChecks = (
  services: ReadonlyArray<ComposeService>,
  mentions: Mentions,
): Checked<ReadonlyArray<ComposeService>> => {
  const byName = byNames(services)
  const found: Array<Diagnostic> = []
  const named = services.flatMap((service) => targetsOf(byName, service, mentions.get(service.name) ?? []))
  const order = named.length === 0 ? [] : ordered(byName, services)
  const hosts = new Map(
    circular(order, byName, named)
      .toReversed()
      .map(({ host, service }) => [service, host]),
  )
  const marked = services.map((service): ComposeService => {
    const host = hosts.get(service)
    const at = service.healthcheck?.places?.check ?? service.healthcheck?.at
    if (host === undefined || at === undefined) return service
    const path = `${service.path}.healthcheck`
    found.push(
      warning(
        'DT1124',
        `the check needs "${host}", so the Service of ${service.name} also routes to pods that are not ready`,
        {
          at,
          path,
          help: 'let the check use localhost, so that only ready pods get requests',
        },
      ),
    )
    return { ...service, checksItself: { value: true, at, path } }
  })
  return C.note(marked, found)
}
