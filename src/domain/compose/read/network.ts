/**
 * Names and networks of a service. All services of a namespace can reach each other, so most of this is about names.
 */

import type { Checked } from '../../checked.ts'
import * as C from '../../checked.ts'
import { type Diagnostic, error, warning } from '../../diagnostic/diagnostic.ts'
import { defined } from '../../object/defined.ts'
import { as, optional } from '../../shape/parse.ts'
import type { Located, ShapeMember, ValueOf } from '../../shape/shape.ts'
import { isUnset } from '../../shape/unset.ts'
import { dnsLabel, isDnsLabel, isDnsName } from '../../text/dns-name.ts'
import { isIp } from '../../text/ip.ts'
import type { service } from '../fields/service.ts'
import type { Alias, ServiceNetwork, Written } from '../model.ts'
import { type ServiceNames, unknownService } from './depends-on.ts'

type RawService = ValueOf<typeof service>['value']
type FieldPlace = { readonly at: Located<unknown>['at']; readonly path: string }

const partly = (place: FieldPlace, message: string, help?: string): Diagnostic =>
  warning('DT1110', message, { at: place.at, path: place.path, help })

const readDomain = (written: Located<string>): Checked<Written<string> | undefined> =>
  isDnsLabel(written.value)
    ? C.ok(written)
    : C.note(undefined, [
        partly(written, `the domain "${written.value}" is left out: Kubernetes accepts a single DNS label`),
      ])

type Modes = Pick<ServiceNetwork, 'hostNetwork' | 'hostPid' | 'hostIpc'>

const readNetworkMode =
  (names: ServiceNames) =>
  (written: Located<string>): Checked<Modes> => {
    const [mode = '', rest] = written.value.split(':')
    const place = { at: written.at, path: written.path }
    if (mode === 'host') {
      const why = 'many clusters forbid pods in the network of the host, and each node has a localhost of its own'
      return C.note({ hostNetwork: as(true as const, written) }, [partly(written, why)])
    }
    if (mode === 'bridge' || mode === 'default') return C.ok({})
    if (mode === 'none') return C.note({}, [partly(written, 'a pod always has a network')])
    if (mode === 'service' && rest !== undefined) return C.ok({})
    if (mode === 'container' && names.containers.has(rest ?? '')) return C.ok({})
    if (rest !== undefined && (mode === 'service' || mode === 'container')) {
      return C.fail(
        error('DT1018', `network_mode ${written.value}: only services of this file can share a pod`, {
          ...place,
          help: 'write service:NAME for the pod of another service of the file',
        }),
      )
    }
    return C.note({}, [partly(written, `the network mode ${written.value} has no effect on Kubernetes`)])
  }

const readNamespace =
  (what: 'pid' | 'ipc', names: ServiceNames) =>
  (written: Located<string>): Checked<Modes> => {
    const [, other] = /^service:(.*)$/.exec(written.value) ?? []
    if (other !== undefined && !names.all.has(other)) return C.fail(unknownService(other, written, names.all))
    if (written.value === 'host') {
      const found = [partly(written, `many clusters forbid pods in the ${what} namespace of the host`)]
      return C.note(
        what === 'pid' ? { hostPid: as(true as const, written) } : { hostIpc: as(true as const, written) },
        found,
      )
    }
    const isOwn = ['private', ''].includes(written.value)
    return C.note({}, isOwn ? [] : [partly(written, `${what}: ${written.value} has no effect on Kubernetes`)])
  }

type Hosts = NonNullable<RawService['extra_hosts']>
type Host = { readonly name: string; readonly ip: string; readonly place: FieldPlace }

const isMember = (item: Hosts['value'][number]): item is ShapeMember<Located<ReadonlyArray<Located<string>>>> =>
  'key' in item

const hostsOf = (item: Hosts['value'][number]): ReadonlyArray<Host> => {
  if (isMember(item)) {
    return item.value.value.flatMap((ips) =>
      ips.value.split(',').map((ip) => ({ name: item.key.text, ip: ip.trim(), place: ips })),
    )
  }
  const at = item.value.search(/[=:]/)
  if (at < 0) return [{ name: item.value, ip: '', place: item }]
  return item.value
    .slice(at + 1)
    .split(',')
    .map((ip) => ({ name: item.value.slice(0, at), ip: ip.trim(), place: item }))
}

const readHosts = (raw: Hosts | undefined): Checked<ServiceNetwork['hostAliases']> => {
  const all = (raw?.value ?? []).flatMap(hostsOf).map((host) => ({ ...host, ip: host.ip.replace(/^\[(.*)\]$/, '$1') }))
  const byIp = new Map<
    string,
    { ip: string; hostnames: Set<string>; at: FieldPlace['at']; also: Array<FieldPlace['at']> }
  >()
  const found: Array<Diagnostic> = []
  for (const { name, ip, place } of all) {
    if (ip === 'host-gateway')
      found.push(partly(place, `${name} is left out: a pod cannot know the address of the machine`))
    else if (!isIp(ip) || name === '') {
      found.push(
        error('DT1018', `"${ip}" is not an IP address`, {
          at: place.at,
          path: place.path,
          help: 'write name=192.0.2.1',
        }),
      )
    } else if (!isDnsName(name.toLowerCase())) {
      found.push(partly(place, `the host name ${name} is left out: Kubernetes takes letters, digits, - and .`))
    } else {
      const alias = byIp.get(ip) ?? { ip, hostnames: new Set(), at: place.at, also: [] }
      if (alias.hostnames.size > 0) alias.also.push(place.at)
      alias.hostnames.add(name.toLowerCase())
      byIp.set(ip, alias)
    }
  }
  const aliases = [...byIp.values()].map((alias) => ({ ...alias, hostnames: [...alias.hostnames] }))
  return C.note(aliases, found)
}

const readServers = (written: Located<ReadonlyArray<Located<string>>>): Checked<ServiceNetwork['nameservers']> => {
  const servers = written.value.filter((server) => !isUnset(server))
  const bad = servers.filter((server) => !isIp(server.value))
  const found = [
    ...bad.map((server) =>
      error('DT1018', `"${server.value}" is not a valid address`, { at: server.at, path: server.path }),
    ),
    ...(servers.length > 2
      ? [
          partly(
            written,
            'a pod uses at most three name servers, the first of them the one of the cluster: the last ones are ignored',
          ),
        ]
      : []),
  ]
  const used = servers.slice(0, 3).map((server) => server.value)
  return C.note(used.length === 0 ? undefined : as(used, written), found)
}

/** A trailing dot is allowed; `.` alone means no search domains, which a pod cannot express. */
const readSearches = (written: Located<ReadonlyArray<Located<string>>>): Checked<ServiceNetwork['searches']> => {
  const isDomain = ({ value }: Located<string>): boolean => isDnsName(value.toLowerCase().replace(/\.$/, ''))
  const bad = written.value.filter((domain) => !isDomain(domain))
  const kept = written.value.filter(isDomain).map((domain) => domain.value.toLowerCase())
  const found = bad.map((domain) =>
    partly(domain, `the search domain "${domain.value}" is left out: Kubernetes takes letters, digits, - and .`),
  )
  return C.note(kept.length === 0 ? undefined : as(kept, written), found)
}

const readOptions = (written: Located<ReadonlyArray<Located<string>>>): Checked<ServiceNetwork['options']> => {
  const options = written.value.map(({ value }) => {
    const [name = '', ...rest] = value.split(':')
    return rest.length === 0 ? { name } : { name, value: rest.join(':') }
  })
  const found = written.value
    .filter((_, index) => options[index]?.name === '')
    .map((option) => partly(option, `the resolver option "${option.value}" is left out: it has no name`))
  return C.note(
    as(
      options.filter(({ name }) => name !== ''),
      written,
    ),
    found,
  )
}

/** One alias for the same name at two places. */
export const mergedAlias = (known: Alias | undefined, { at, networks, ...alias }: Alias): Alias =>
  known === undefined
    ? { ...alias, at, networks }
    : { ...known, also: [...(known.also ?? []), at], networks: [...known.networks, ...networks] }

/** A name as it is written, and the networks that know it. */
type WrittenAlias = { readonly name: Located<string>; readonly networks: ReadonlyArray<string> }

/** `container_name`, which every network of the service knows, and network aliases. */
export const writtenAliases = ({ container_name: container, networks }: RawService): ReadonlyArray<WrittenAlias> => {
  const members = (networks?.value ?? []).map((item) =>
    'key' in item
      ? { name: item.key.text, aliases: item.value?.value.aliases?.value ?? [] }
      : { name: item.value, aliases: [] },
  )
  const all = members.length === 0 ? ['default'] : members.map(({ name }) => name)
  return [
    ...(container === undefined ? [] : [{ name: container, networks: all }]),
    ...members.flatMap(({ aliases, name }) => aliases.map((alias) => ({ name: alias, networks: [name] }))),
  ]
}

/** Aliases are DNS labels; one with dots cannot be the name of a Service, which changed-names.ts reports. */
export const aliasesOf = (object: string, written: ReadonlyArray<WrittenAlias>): ReadonlyArray<Alias> => {
  const byName = new Map<string, Array<Alias>>()
  for (const { name, networks } of written) {
    const label = dnsLabel(name.value)
    if (name.value.includes('.') || label === object) continue
    const places = byName.get(label)
    const alias: Alias = { ...as(label, name), networks, ...(label === name.value ? {} : { old: [name.value] }) }
    if (places === undefined) byName.set(label, [alias])
    else places.push(alias)
  }
  return [...byName.values()].flatMap(([first, ...others]) => {
    if (first === undefined || others.length === 0) return first ?? []
    const networks = [...first.networks, ...others.flatMap((other) => other.networks)]
    const old = [first, ...others].flatMap((one) => one.old ?? [])
    return { ...first, also: others.map(({ at }) => at), networks, ...(old.length === 0 ? {} : { old }) }
  })
}

/** Finds DT1013, DT1018; warns DT1110. */
export const readNetwork = (raw: RawService, object: string, names: ServiceNames): Checked<ServiceNetwork> => {
  const parts = C.struct({
    hostname: optional(raw.hostname, (written) => C.ok(as(dnsLabel(written.value), written))),
    subdomain: optional(raw.domainname, readDomain),
    mode: optional(raw.network_mode, readNetworkMode(names)),
    pid: optional(raw.pid, readNamespace('pid', names)),
    ipc: optional(raw.ipc, readNamespace('ipc', names)),
    hostAliases: readHosts(raw.extra_hosts),
    nameservers: optional(raw.dns, readServers),
    searches: optional(raw.dns_search, readSearches),
    options: optional(raw.dns_opt, readOptions),
  })
  return C.map(
    ({ hostname, subdomain, mode, pid, ipc, hostAliases, ...dns }: C.ValueIn<typeof parts>): ServiceNetwork => ({
      ...defined({ hostname, subdomain }),
      ...mode,
      ...pid,
      ...ipc,
      hostAliases: hostAliases ?? [],
      ...dns,
      aliases: aliasesOf(object, writtenAliases(raw)),
    }),
  )(parts)
}
