/** Host names of services, by which other containers reach theirs in Docker. */
import type { ComposeService } from '../model.ts'
import { aliasesOf } from './network.ts'
import type { RawService } from './service.ts'

const namesOf = ({ network, object }: ComposeService): ReadonlySet<string> =>
  new Set([object, ...network.aliases.map(({ value }) => value), network.hostname?.value ?? object])

/** How many services have each name. */
const owners = (services: ReadonlyArray<ComposeService>): ReadonlyMap<string, number> => {
  const count = new Map<string, number>()
  for (const service of services) for (const name of namesOf(service)) count.set(name, (count.get(name) ?? 0) + 1)
  return count
}

/** A host name is one more alias, unless several services have it: then it identifies none of them. */
export const addHostNames = (
  services: ReadonlyArray<ComposeService>,
  raws: ReadonlyMap<string, RawService>,
): ReadonlyArray<ComposeService> => {
  const count = owners(services)
  return services.map((service) => {
    const name = raws.get(service.name)?.value.hostname
    if (name === undefined || name.value === 'localhost') return service
    const known = service.network.aliases
    const added = aliasesOf(service.object, [{ name, networks: [] }]).filter(
      ({ value }) => count.get(value) === 1 && known.every((alias) => alias.value !== value),
    )
    return added.length === 0 ? service : { ...service, network: { ...service.network, aliases: [...known, ...added] } }
  })
}
