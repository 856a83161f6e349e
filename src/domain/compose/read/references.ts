/** What services say about each other and about the definitions of the file. */

import { type Diagnostic, error, remark, warning } from '../../diagnostic/diagnostic.ts'
import { grouped } from '../../object/grouped.ts'
import { as } from '../../shape/parse.ts'
import { type Located, located } from '../../shape/shape.ts'
import type { Span } from '../../text/source.ts'
import { didYouMean } from '../../text/suggest.ts'
import type { ComposeService, ServiceDependency } from '../model.ts'
import type { Mount } from '../volume-model.ts'
import { writtenRestart } from './kind.ts'
import { aliasesOf, mergedAlias } from './network.ts'
import type { SharedPod } from './pods.ts'
import type { RawService } from './service.ts'

type Raws = ReadonlyMap<string, RawService>

/** `links: [db:database]` names the service `db` also `database`, for the linking service. */
export const addLinkAliases = (services: ReadonlyArray<ComposeService>, raws: Raws): ReadonlyArray<ComposeService> => {
  const all = [...raws].flatMap(([linking, raw]) =>
    (raw.value.links?.value ?? []).flatMap((link) => {
      const [of = '', alias] = link.value.split(':')
      if (alias === undefined || alias === of) return []
      return [{ of, name: located(alias, link.at, link.path), networks: [`links of ${linking}`] }]
    }),
  )
  const wanted = grouped(all, ({ of }) => of)
  if (wanted.size === 0) return services
  return services.map((service) => {
    const links = wanted.get(service.name)
    if (links === undefined) return service
    const aliases = new Map(service.network.aliases.map((alias) => [alias.value, alias]))
    for (const alias of aliasesOf(service.object, links))
      aliases.set(alias.value, mergedAlias(aliases.get(alias.value), alias))
    return { ...service, network: { ...service.network, aliases: [...aliases.values()] } }
  })
}

/** Names that the top level of the file defines; `undefined` for a section that is no mapping, where nobody knows. */
export type DefinedNames = {
  readonly networks: ReadonlySet<string> | undefined
  readonly volumes: ReadonlySet<string> | undefined
  readonly configs: ReadonlySet<string> | undefined
  readonly secrets: ReadonlySet<string> | undefined
}

type Section = keyof DefinedNames

type ReferencePlace = { readonly at: Span; readonly path: string }

/** DT1025 for a name that its section does not define, with a suggestion. */
const undefinedName = (
  section: Section,
  name: string,
  { at, path }: ReferencePlace,
  defined: DefinedNames,
): ReadonlyArray<Diagnostic> => {
  const known = defined[section]
  if (known?.has(name) !== false) return []
  const help = (): string => didYouMean(name, known, `add it under ${section}: at the top level`)
  return [error('DT1025', `the ${section.slice(0, -1)} "${name}" is not defined`, { at, path, help })]
}

/** DT1025 for every mount of something that the top level does not define. */
export const undefinedMounts = (mounts: ReadonlyArray<Mount>, defined: DefinedNames): ReadonlyArray<Diagnostic> =>
  mounts.flatMap((mount) => {
    switch (mount._tag) {
      case 'Named':
        return undefinedName('volumes', mount.volume, mount, defined)
      case 'Config':
        return undefinedName('configs', mount.config, mount, defined)
      case 'Secret':
        return undefinedName('secrets', mount.secret, mount, defined)
      case 'Anonymous':
      case 'Memory':
      case 'Image':
      case 'HostFiles':
        return []
    }
  })

/** DT1025 for networks and build secrets that the top level does not define. */
export const undefinedReferences = (raws: Raws, defined: DefinedNames): ReadonlyArray<Diagnostic> =>
  [...raws.values()].flatMap(({ value: { build, networks } }) => {
    const secrets = build === undefined || typeof build.value === 'string' ? [] : (build.value.secrets?.value ?? [])
    return [
      ...(networks?.value ?? []).flatMap((item) => {
        const written = 'key' in item ? as(item.key.text, { at: item.key, path: networks?.path ?? '' }) : item
        return written.value === 'default' ? [] : undefinedName('networks', written.value, written, defined)
      }),
      ...secrets.flatMap((item) => {
        const source = typeof item.value === 'string' ? as(item.value, item) : item.value.source
        return source === undefined ? [] : undefinedName('secrets', source.value, source, defined)
      }),
    ]
  })

/** DT1038 for fields of a service that exclude each other. */
export const exclusions = (raws: Raws): ReadonlyArray<Diagnostic> =>
  [...raws.values()].flatMap(({ value: { build, network_mode: mode, networks } }) => {
    const { dockerfile, dockerfile_inline: inline } =
      build === undefined || typeof build.value === 'string' ? {} : build.value
    return [
      ...(mode !== undefined && (networks?.value.length ?? 0) > 0
        ? [error('DT1038', 'network_mode and networks exclude each other', { at: mode.at, path: mode.path })]
        : []),
      ...(dockerfile !== undefined && inline !== undefined
        ? [error('DT1038', 'dockerfile and dockerfile_inline exclude each other', { at: inline.at, path: inline.path })]
        : []),
    ]
  })

/** DT1110: a claim is on one node, and so are all pods that mount it. */
export const crowded = (pods: ReadonlyArray<SharedPod>): ReadonlyArray<Diagnostic> =>
  pods.flatMap(({ owner: { mounts, path, replicas }, joined }) =>
    replicas !== undefined &&
    replicas.value > 1 &&
    [mounts, ...joined.map((service) => service.mounts)].flat().some((mount) => mount._tag === 'Named')
      ? [
          warning('DT1110', `${replicas.value} pods share one volume, so all of them run on one node`, {
            at: replicas.at,
            path,
          }),
        ]
      : [],
  )

/** DT1110, once: `container_name` does not name a pod, but adds a name for the service, unless it has dots. */
export const namedContainers = (raws: Raws): ReadonlyArray<Diagnostic> => {
  const written = [...raws].flatMap(([name, { value }]) => {
    const given = value.container_name
    return given === undefined || given.value === name || given.value.includes('.') ? [] : [given]
  })
  return written.slice(0, 1).map(({ at, path }) =>
    remark('DT1110', 'container_name does not name a pod on Kubernetes, so it becomes an alias of the service', {
      at,
      path,
    }),
  )
}

/** DT1030: a container name exists once on a machine. */
export const sameContainerNames = (raws: Raws): ReadonlyArray<Diagnostic> => {
  const first = new Map<string, Located<string>>()
  return [...raws.values()].flatMap(({ value: { container_name: given } }) => {
    const other = given === undefined ? undefined : first.get(given.value)
    if (given !== undefined && other === undefined) first.set(given.value, given)
    if (given === undefined || other === undefined) return []
    const related = [{ at: other.at, message: 'is the container name of this service' }]
    const message = `two services have the container name "${given.value}"`
    const help = 'use networks: with aliases to give services a name in common'
    return [error('DT1030', message, { at: given.at, path: given.path, help, related })]
  })
}

type Awaited = { readonly dependency: ServiceDependency; readonly target: ComposeService; readonly raw: RawService }

const awaitedAmong = (services: ReadonlyArray<ComposeService>, raws: Raws): ReadonlyArray<Awaited> => {
  const byName = new Map(services.map((service) => [service.name, service]))
  return services.flatMap(({ dependsOn }) =>
    dependsOn.flatMap((dependency): ReadonlyArray<Awaited> => {
      const [target, raw] = [byName.get(dependency.service), raws.get(dependency.service)]
      if (dependency.condition !== 'service_completed_successfully' || target === undefined || raw === undefined)
        return []
      return [{ dependency, target, raw }]
    }),
  )
}

/** DT1036: only a Job can complete. */
export const incompletable = (services: ReadonlyArray<ComposeService>, raws: Raws): ReadonlyArray<Diagnostic> =>
  awaitedAmong(services, raws).flatMap(({ dependency: { at, path }, raw, target: { kind, name } }) => {
    if (kind._tag === 'Job') return []
    const restart = writtenRestart(raw.value)
    const help = `give ${name} restart: "no" or on-failure`
    const related = restart === undefined ? [] : [{ at: restart.at, message: 'it is always restarted because of this' }]
    return [error('DT1036', `"${name}" never completes, since it is always restarted`, { at, path, help, related })]
  })

/** DT1206 at the first place that awaits the completion of a service which is a Job only because of that. */
export const finiteByNeed = (services: ReadonlyArray<ComposeService>, raws: Raws): ReadonlyArray<Diagnostic> => {
  const seen = new Set<string>()
  return awaitedAmong(services, raws).flatMap(({ dependency: { at, path }, raw, target: { kind, name } }) => {
    const isOwn =
      writtenRestart(raw.value) !== undefined || raw.value.deploy?.value.mode?.value.endsWith('-job') === true
    if (kind._tag !== 'Job' || isOwn || seen.has(name)) return []
    seen.add(name)
    return [remark('DT1206', `"${name}" is a Job that runs once, since its completion is awaited`, { at, path })]
  })
}

/** DT1127: a service that others connect to should not end. EXPOSE says little: servers and tasks share an image. */
export const endingServers = (
  services: ReadonlyArray<ComposeService>,
  raws: ReadonlyMap<string, RawService>,
): ReadonlyArray<Diagnostic> =>
  services.flatMap(({ healthcheck, kind, name, path, ports }) => {
    if (kind._tag !== 'Job') return []
    const { expose, ports: published } = raws.get(name)?.value ?? {}
    const hasPorts = [expose, published].some((list) => list !== undefined && list.value.length > 0)
    if (healthcheck === undefined && !hasPorts && !ports.some(({ isMentioned }) => isMentioned)) return []
    const message = 'it becomes a Job, though ports or a health check make it look like a server'
    return [warning('DT1127', message, { at: kind.at, path, help: 'a server wants restart: always' })]
  })

/** DT1122: the health of the service cannot be observed. */
export const unseenHealth = (services: ReadonlyArray<ComposeService>): ReadonlyArray<Diagnostic> => {
  const byName = new Map(services.map((service) => [service.name, service]))
  return services.flatMap(({ dependsOn }) =>
    dependsOn.flatMap(({ at, condition, path, service: name }) => {
      const target = byName.get(name)
      const isSeen = target?.healthcheck !== undefined || target?.ports.some(({ protocol }) => protocol === 'TCP')
      if (condition !== 'service_healthy' || target === undefined || isSeen === true) return []
      const message = `"${name}" has neither a health check nor a TCP port, so it counts as healthy when it has started`
      const help = `give ${name} a healthcheck:, or list its port under expose:`
      return [warning('DT1122', message, { at, path, help })]
    }),
  )
}
