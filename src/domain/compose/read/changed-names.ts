/** Names that change on Kubernetes: of services, hosts and aliases. Each name is reported once per file. */
import { type Diagnostic, remark, warning } from '../../diagnostic/diagnostic.ts'
import type { Located } from '../../shape/shape.ts'
import { dnsLabel } from '../../text/dns-name.ts'
import { listed } from '../../text/listed.ts'
import type { Placed } from '../../text/written.ts'
import type { ComposeService } from '../model.ts'
import { byFile, placesOf, type Related } from './by-file.ts'
import type { Mention } from './mentions.ts'
import { writtenAliases } from './network.ts'
import type { RawService } from './service.ts'

/**
 * `service`: the service with this name; `label`: the name on Kubernetes, if it has one there; `address`: the name by
 * which other services reach the service, if not the label; `isContainer`: a `container_name`, which is seldom used as
 * one.
 */
type Name = Placed & {
  readonly name: string
  readonly service: string
  readonly label?: string
  readonly address?: string
  readonly isContainer?: true
}

const nameOf = ({ at, path, value }: Located<string>, service: string): Omit<Name, 'label' | 'address'> => ({
  at,
  path,
  name: value,
  service,
})

const linkedIn = ({ links }: RawService['value']): ReadonlyArray<readonly [string, Located<string>]> =>
  (links?.value ?? []).flatMap((link) => {
    const [service = '', alias] = link.value.split(':')
    return alias === undefined || alias === service ? [] : [[service, { ...link, value: alias }] as const]
  })

/** A host name with dots, or one that several services have, is no alias: only the pod itself has it. */
const hostNameOf = (hostname: Located<string>, { name, network, object }: ComposeService): Name => {
  const label = dnsLabel(hostname.value)
  const isFound = label === object || network.aliases.some(({ value }) => value === label)
  return { ...nameOf(hostname, name), label, ...(isFound ? {} : { address: object }) }
}

/**
 * A host name and an alias are changed like the name of a service; an alias with dots is left out, and the host name of
 * a service in another one's pod.
 */
const namesIn = (
  services: ReadonlyArray<ComposeService>,
  raws: ReadonlyMap<string, RawService>,
): ReadonlyArray<Name> => {
  const byName = new Map(services.map((service) => [service.name, service]))
  const own = services.map(({ at, name, object, path }): Name => ({ at, path, name, service: name, label: object }))
  const others = [...raws].flatMap(([service, { value }]) => {
    const aliases = [
      ...writtenAliases(value).map(({ name }) => ({
        ...nameOf(name, service),
        ...(name === value.container_name ? { isContainer: true as const } : {}),
      })),
      ...linkedIn(value).map(([target, alias]) => nameOf(alias, target)),
    ].map((one): Name => (one.name.includes('.') ? one : { ...one, label: dnsLabel(one.name) }))
    const known = byName.get(service)
    return value.hostname === undefined || known === undefined || known.podOf !== undefined
      ? aliases
      : [hostNameOf(value.hostname, known), ...aliases]
  })
  return [...own, ...others]
}

/** Each name is reported once, at its first place. */
const distinct = (names: ReadonlyArray<Name>): ReadonlyArray<Name> => {
  const first = new Map<string, Name>()
  for (const one of names) if (!first.has(one.name)) first.set(one.name, one)
  return [...first.values()]
}

const helpFor = (all: ReadonlyArray<Name>): string => {
  const [found, others] = [all.filter((one) => one.address === undefined), all.filter((one) => one.address)]
  const those = listed(others.map(({ address, name }) => `${address} for ${name}`))
  const [{ label = '' } = {}] = found
  if (found.length === 0) return `where other services use it, write ${those}`
  const help = `write ${all.length === 1 ? label : 'the new names'} wherever ${all.length === 1 ? 'it is' : 'these are'} used`
  return others.length === 0 ? help : `${help}, but ${those}`
}

/** A text that addresses a service by a name that it does not have on Kubernetes. */
export type OldName = Pick<Mention, 'at' | 'path'> & Pick<ComposeService, 'name'>

/** The places of `used`, each once. */
const usesOf = (used: ReadonlyArray<OldName>): ReadonlyArray<Related> =>
  byFile(used, ({ name }) => name).flatMap((uses) =>
    uses.map(({ at, name }) => ({ at, message: `${name} does not resolve here` })),
  )

/** DT1103, with the places where the old names are used. */
const changedIn = (
  names: ReadonlyArray<Name>,
  used: ReadonlyArray<OldName>,
  found: typeof warning,
): ReadonlyArray<Diagnostic> =>
  byFile(names, ({ name }) => name).map((all) => {
    const [{ label = '', name }, ...others] = all
    const isOne = others.length === 0
    const message = isOne
      ? `"${name}" is not a DNS label, so ${label} is used`
      : `names are changed to DNS labels: ${listed(all.map((one) => `${one.name} to ${one.label}`))}`
    const { related = [], ...place } = placesOf(all, 'this one too')
    const here = new Set(all.map((one) => one.name))
    const places = [...related, ...usesOf(used.filter((use) => here.has(use.name)))]
    return found('DT1103', message, {
      ...place,
      help: helpFor(all),
      ...(places.length === 0 ? {} : { related: places }),
    })
  })

/** A note for a container name that nothing in the file uses. */
const changed = (all: ReadonlyArray<Name>, used: ReadonlyArray<OldName>): ReadonlyArray<Diagnostic> => {
  const uses = new Set(used.map(({ name }) => name))
  const isUnused = ({ isContainer, name }: Name): boolean => isContainer === true && !uses.has(name)
  const names = all.filter(({ label, name }) => label !== undefined && label !== name)
  return [
    ...changedIn(
      names.filter((one) => !isUnused(one)),
      used,
      warning,
    ),
    ...changedIn(names.filter(isUnused), used, remark),
  ]
}

/** DT1110. */
const leftOut = (names: ReadonlyArray<Name>): ReadonlyArray<Diagnostic> =>
  byFile(
    names.filter(({ label }) => label === undefined),
    ({ name }) => name,
  ).map((all) => {
    const [{ name, service }, ...others] = all
    const why = 'since the name of a Service has no dots'
    const message =
      others.length === 0
        ? `other services do not find ${service} by the name ${name}, ${why}`
        : `other services are not found by these names, ${why}: ${listed(all.map((one) => `${one.name} (${one.service})`))}`
    const help = 'use the name of the service, or an alias without dots'
    return warning('DT1110', message, { ...placesOf(all, 'this one neither'), help })
  })

/** `used`: where services are named. Warns DT1103, DT1110. */
export const changedNames = (
  services: ReadonlyArray<ComposeService>,
  raws: ReadonlyMap<string, RawService>,
  used: ReadonlyArray<OldName>,
): ReadonlyArray<Diagnostic> => {
  const names = distinct(namesIn(services, raws))
  return [...changed(names, used), ...leftOut(names)]
}
