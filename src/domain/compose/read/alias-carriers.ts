/** Which services have which additional names. */

import { type Diagnostic, error, remark, warning } from '../../diagnostic/diagnostic.ts'
import type { Alias, ComposeService } from '../model.ts'

export type Carrier = { readonly service: ComposeService; readonly alias: Alias }
/** Keyed by alias, in file order. The name of a service is no alias: that service keeps it. */
export type Carriers = ReadonlyMap<string, ReadonlyArray<Carrier>>

const ownersOf = (services: ReadonlyArray<ComposeService>): ReadonlyMap<string, ComposeService> =>
  new Map(services.map((service) => [service.object, service]))

export const carriersIn = (services: ReadonlyArray<ComposeService>): Carriers => {
  const owners = ownersOf(services)
  const carriers = new Map<string, Array<Carrier>>()
  for (const service of services) {
    for (const alias of service.network.aliases) {
      const known = carriers.get(alias.value)
      if (owners.has(alias.value) || known?.at(-1)?.service === service) continue
      if (known === undefined) carriers.set(alias.value, [{ service, alias }])
      else known.push({ service, alias })
    }
  }
  return carriers
}

/** The aliases that these services have in common with others, each once. */
export const sharedBy = (carriers: Carriers, services: ReadonlyArray<ComposeService>): ReadonlyArray<string> => {
  const names = services.flatMap(({ network }) => network.aliases.map(({ value }) => value))
  return [...new Set(names)].filter((name) => (carriers.get(name)?.length ?? 0) > 1)
}

/** Leads from each service to all that have an alias in common with it, through the first of them. */
export const sharersIn = (services: ReadonlyArray<ComposeService>): ReadonlyMap<string, ReadonlyArray<string>> => {
  const sharers = new Map<string, Array<string>>()
  const link = (from: string, to: string): void => {
    const known = sharers.get(from)
    if (known === undefined) sharers.set(from, [to])
    else known.push(to)
  }
  for (const [first, ...others] of carriersIn(services).values()) {
    for (const { service } of others) {
      if (first === undefined) continue
      link(first.service.name, service.name)
      link(service.name, first.service.name)
    }
  }
  return sharers
}

/** DT1107 for an alias that is the name of another service. */
const taken = (services: ReadonlyArray<ComposeService>): ReadonlyArray<Diagnostic> => {
  const owners = ownersOf(services)
  return services.flatMap(({ name, network }) =>
    network.aliases.flatMap(({ value, at, path }) => {
      const owner = owners.get(value)
      if (owner === undefined || owner.name === name) return []
      const related = [{ at: owner.at, message: `service "${owner.name}"` }]
      const message = `the alias "${value}" is left out, since another service has that name`
      return [warning('DT1107', message, { at, path, related })]
    }),
  )
}

/** A network on which all of them carry it. */
const haveNetwork = ([first, ...others]: ReadonlyArray<Carrier>): boolean =>
  first?.alias.networks.some((network) => others.every(({ alias }) => alias.networks.includes(network))) ?? false

/** DT1207 for an alias of several services, DT1030 when no network knows all of them by it. */
const shared = (name: string, carriers: ReadonlyArray<Carrier>): ReadonlyArray<Diagnostic> => {
  const [first, second, ...more] = carriers
  if (first === undefined || second === undefined) return []
  const others = [second, ...more]
  if (haveNetwork(carriers)) {
    const related = others.map(({ alias, service }) => ({ at: alias.at, message: `service "${service.name}"` }))
    const message = `the alias "${name}" resolves to the pods of ${carriers.length} services`
    return [remark('DT1207', message, { at: first.alias.at, path: first.alias.path, related })]
  }
  const stray = others.find(({ alias }) => !haveNetwork([first, { ...second, alias }])) ?? second
  const message = `${first.service.name} and ${stray.service.name} have the alias "${name}" on different networks, but a namespace has only one name "${name}"`
  const help = 'rename one of them, or give both the alias on the same network'
  const related = [{ at: first.alias.at, message: `service "${first.service.name}"` }]
  return [error('DT1030', message, { at: stray.alias.at, path: stray.alias.path, help, related })]
}

export const aliasFindings = (
  carriers: Carriers,
  services: ReadonlyArray<ComposeService>,
): ReadonlyArray<Diagnostic> => [...taken(services), ...[...carriers].flatMap(([name, ofName]) => shared(name, ofName))]
