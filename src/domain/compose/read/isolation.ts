/** Isolation by networks, which a cluster does not have. Reported once per file. */
import { type Diagnostic, warning } from '../../diagnostic/diagnostic.ts'
import type { ValueOf } from '../../shape/shape.ts'
import { listed } from '../../text/listed.ts'
import type { Placed } from '../../text/written.ts'
import type { document } from '../fields/document.ts'
import type { ComposeService } from '../model.ts'
import { byFile, placesOf } from './by-file.ts'
import type { RawService } from './service.ts'

type Raw = ValueOf<typeof document>['value']

/** The networks that a service joins by name; `undefined` if it joins none, or those of others. */
const networksOf = ({ network_mode: mode, networks }: RawService['value']): ReadonlySet<string> | undefined => {
  if (mode !== undefined) return undefined
  const names = (networks?.value ?? []).map((item) => ('key' in item ? item.key.text : item.value))
  return new Set(names.length === 0 ? ['default'] : names)
}

type Member = Placed & { readonly name: string; readonly networks: ReadonlySet<string> }

/** One service for each combination of networks. */
const membersIn = (
  services: ReadonlyArray<ComposeService>,
  raws: ReadonlyMap<string, RawService>,
): ReadonlyArray<Member> => {
  const members = new Map<string, Member>()
  for (const { at, name, path } of services) {
    const raw = raws.get(name)?.value ?? {}
    const networks = networksOf(raw)
    const key = JSON.stringify([...(networks ?? [])].toSorted())
    if (networks === undefined || members.has(key)) continue
    members.set(key, { name, networks, at: raw.networks?.at ?? at, path: `${path}.networks` })
  }
  return [...members.values()]
}

const sharesOne = (one: Member, other: Member): boolean => [...one.networks].some((name) => other.networks.has(name))

/** Two services that share no network. */
const apartIn = (members: ReadonlyArray<Member>): readonly [Member, Member] | undefined => {
  const [first] = members
  if (first === undefined || [...first.networks].some((name) => members.every(({ networks }) => networks.has(name))))
    return undefined
  for (const [index, one] of members.entries()) {
    const other = members.slice(index + 1).find((member) => !sharesOne(one, member))
    if (other !== undefined) return [one, other]
  }
  return undefined
}

/** The key `internal` of networks without access to the outside. */
const internalIn = ({ networks }: Raw): ReadonlyArray<Placed & { readonly name: string }> =>
  (networks?.value ?? []).flatMap(({ key, value }) => {
    if (value?.value.internal?.value !== true || value.at._tag !== 'Mapping') return []
    const entry = value.at.entries.find((one) => one.key.text === 'internal')
    return entry === undefined ? [] : [{ name: key.text, at: entry.key, path: `${value.path}.internal` }]
  })

/** DT1128. */
export const lostIsolation = (
  services: ReadonlyArray<ComposeService>,
  raws: ReadonlyMap<string, RawService>,
  raw: Raw,
): ReadonlyArray<Diagnostic> => {
  const apart = apartIn(membersIn(services, raws)) ?? []
  const internal = internalIn(raw)
  const [one, other] = apart
  const lost = [
    ...(one === undefined || other === undefined
      ? []
      : [`"${one.name}" and "${other.name}" share none, but reach each other`]),
    ...(internal.length === 0 ? [] : [`pods of ${listed(internal.map(({ name }) => name))} reach the outside`]),
  ]
  return byFile<Placed>([...apart, ...internal], ({ path }) => path)
    .slice(0, 1)
    .map((places) =>
      warning('DT1128', `networks isolate nothing on Kubernetes: ${lost.join(', and ')}`, {
        ...placesOf(places, 'this isolates nothing either'),
        help: 'write a NetworkPolicy where this matters',
      }),
    )
}
