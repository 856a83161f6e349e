/** `ports` and `expose`: what a container listens on, and which of it is public. */

import { pipe } from 'fp-ts/lib/function.js'
import type { Checked } from '../../checked.ts'
import * as C from '../../checked.ts'
import { type Diagnostic, error, warning } from '../../diagnostic/diagnostic.ts'
import { defined } from '../../object/defined.ts'
import { grouped } from '../../object/grouped.ts'
import { as, choose, optional, parse } from '../../shape/parse.ts'
import type { Located, ValueOf } from '../../shape/shape.ts'
import { type PortRange, readPort, readRange } from '../../text/port.ts'
import { type Budget, isSpent, spend } from '../../yaml/budget.ts'
import type { service } from '../fields/service.ts'
import type { Port } from '../model.ts'
import { isQualifiedName } from './labels.ts'
import { privatePorts } from './private-ports.ts'

type RawService = ValueOf<typeof service>['value']
type PortItem = NonNullable<RawService['ports']>['value'][number]
type Long = Extract<PortItem, { readonly value: { readonly target?: unknown } }>

/** The maximum number of ports of one range: Kubernetes stores all ports of a service in one object. */
const mostPorts = 1_000
/** A port of a range stands for several values in the manifests. */
const valuesOfPort = 32

type Details = {
  readonly at: Located<unknown>
  readonly name?: string
  readonly appProtocol?: string
  readonly onHost?: boolean
}

const isLoopback = (ip: string): boolean => ip.startsWith('127.') || ip === '::1' || ip === '[::1]'
const isAny = (ip: string): boolean => ['0.0.0.0', '::', '[::]'].includes(ip)

const numbers = ([first, last]: readonly [number, number]): ReadonlyArray<number> =>
  first === last ? [first] : Array.from({ length: last - first + 1 }, (_, i) => first + i)

/** Published for others, but not through an Ingress: see public-ports.ts. */
const isKept = ({ protocol, target }: Pick<Port, 'target' | 'protocol'>): boolean =>
  protocol !== 'TCP' || privatePorts.has(target)

/** Port settings that have no meaning in a cluster. */
const placeFindings = (
  { hostIp, published, target }: PortRange,
  { at, onHost }: Details,
): ReadonlyArray<Diagnostic> => {
  const partly = (message: string): Diagnostic => warning('DT1110', message, { at: at.at, path: at.path })
  const isLocal = hostIp !== undefined && isLoopback(hostIp)
  const isAnyOf = published !== undefined && published[1] - published[0] > target[1] - target[0]
  if (hostIp === undefined && !isAnyOf && onHost !== true) return []
  return [
    ...(onHost && !isLocal
      ? [partly('mode: host binds the port on the node: only one pod per node, and many clusters forbid it')]
      : []),
    ...(onHost && isLocal
      ? [partly('the port stays private: nothing on the node would use its loopback address')]
      : []),
    ...(hostIp && !isLocal && !isAny(hostIp) ? [partly(`the address ${hostIp} has no meaning in a cluster`)] : []),
    ...(isAnyOf ? [partly(`of the published ports, ${published[0]} is used`)] : []),
  ]
}

/** An item of `ports` or `expose`. */
type Item = { readonly range: PortRange; readonly details: Details }

/** Each port of a range, with the settings of the range. Finds DT1006, DT1023; warns DT1110 (no meaning here). */
const expand =
  (budget: Budget) =>
  ({ range, details }: Item): Checked<ReadonlyArray<Port>> => {
    const { hostIp, published, target, protocol } = range
    const { at, name, appProtocol } = details
    const targets = numbers(target)
    if (targets.length > mostPorts) {
      return C.fail(error('DT1023', `more than ${mostPorts} ports in one range`, { at: at.at, path: at.path }))
    }
    const fault = spend(budget, (targets.length - 1) * valuesOfPort, at.at)
    if (fault !== undefined) return C.fail(fault)
    if (isSpent(budget)) return C.ok([])
    const isLocal = hostIp !== undefined && isLoopback(hostIp)
    const onHost = details.onHost === true && !isLocal
    const settings = defined({ name, appProtocol })
    const ports = targets.map((one, i): Port => {
      const host = published === undefined || published[0] === 0 ? undefined : published[0] + i
      const isForOthers = !onHost && host !== undefined && !isLocal
      const isPublic = isForOthers && !isKept({ protocol, target: one })
      return {
        ...settings,
        target: one,
        protocol,
        published: host === undefined ? [] : [host],
        at: at.at,
        isPublic,
        ...(onHost ? { hostPort: host ?? one } : {}),
        ...(isForOthers && !isPublic ? { isKeptPrivate: true } : {}),
      }
    })
    return C.note(ports, placeFindings(range, details))
  }

const protocols = { tcp: 'TCP', udp: 'UDP', sctp: 'SCTP' } as const
const modes = { host: true, ingress: false } as const

const readAppProtocol = (written: Located<string>): Checked<Located<string> | undefined> =>
  isQualifiedName(written.value)
    ? C.ok(written)
    : C.note(undefined, [
        warning('DT1110', `app_protocol "${written.value}" is left out, since Kubernetes expects [prefix/]name`, {
          at: written.at,
          path: written.path,
        }),
      ])

const readLong = (item: Long): Checked<Item | undefined> => {
  const { target, published, protocol, host_ip: hostIp, mode, name, app_protocol: appProtocol } = item.value
  if (target === undefined) return C.fail(error('DT1023', 'a port needs a target', { at: item.at, path: item.path }))
  const range = parse('DT1023', (written) => readRange(written, 0, 1))
  const read = C.struct({
    target: range(target),
    published: optional(published, (p) => (p.value === '' || /^0+$/.test(p.value) ? C.ok(undefined) : range(p))),
    protocol: optional(protocol, (p) => choose('protocol', protocols)(as(p.value.toLowerCase(), p))),
    mode: optional(mode, choose('mode', modes)),
    appProtocol: optional(appProtocol, readAppProtocol),
  })
  return C.map((parts: C.ValueIn<typeof read>) => {
    if (parts.target === undefined) return undefined
    return {
      range: {
        target: parts.target.value,
        protocol: parts.protocol?.value ?? 'TCP',
        ...defined({ published: parts.published?.value, hostIp: hostIp?.value }),
      },
      details: {
        at: item,
        onHost: parts.mode?.value ?? false,
        ...defined({ name: name?.value, appProtocol: parts.appProtocol?.value }),
      },
    }
  })(read)
}

const isLong = (item: PortItem): item is Long => typeof item.value !== 'string'

const shortForm = 'write 8080, "8080:80", "127.0.0.1:8080:80" or "53:53/udp"'

const readText = (help: string, settings: Partial<PortRange> = {}): ((item: Located<string>) => Checked<Item>) => {
  const read = parse('DT1023', readPort, help)
  return (item) =>
    C.map((range: Located<PortRange>) => ({ range: { ...range.value, ...settings }, details: { at: item } }))(
      read(item),
    )
}

const readShort = readText(shortForm)
/** Private, even if it is written like a published port. */
const readExposed = readText('write 8080, "8080-8090" or "53/udp"', { hostIp: '127.0.0.1' })

const bindingOf = ({ range: { hostIp, published, target, protocol } }: Item): string =>
  `${hostIp ?? '0.0.0.0'} ${published?.[0]}-${published?.[1]} ${target[0]}-${target[1]} ${protocol}`

const settingsOf = ({ details: { name, appProtocol, onHost } }: Item): string =>
  JSON.stringify([name, appProtocol, onHost === true])

/** Of items that publish the same port with other settings, the last one is used, as in Compose. Warns DT1121. */
const lastOfEach = (items: ReadonlyArray<Item>): Checked<ReadonlyArray<Item>> => {
  if (items.length < 2) return C.ok(items)
  const last = new Map(items.map((item) => [bindingOf(item), item]))
  if (last.size === items.length) return C.ok(items)
  return C.each((item: Item): Checked<Item> => {
    const winner = last.get(bindingOf(item))
    if (winner === undefined || settingsOf(winner) === settingsOf(item)) return C.ok(item)
    const { at, path } = item.details.at
    const related = [{ at: winner.details.at.at, message: 'this one is used' }]
    const why = `port ${item.range.target[0]} is given again below with other settings, so this one is not used`
    return C.fail(warning('DT1121', why, { at, path, related }))
  })(items)
}

/**
 * Merges the entries for one port. The settings and the place of the first entry that publishes it are used, then those
 * of the entries before it, the last of them first.
 */
const joined = (entries: ReadonlyArray<Port>): ReadonlyArray<Port> => {
  const ahead = entries.findIndex(({ published }) => published.length > 0) + 1 || entries.length
  const [first, ...others] = [...entries.slice(0, ahead).toReversed(), ...entries.slice(ahead)]
  if (first === undefined || others.length === 0) return entries
  const less = others.reduceRight<Partial<Port>>((below, port) => Object.assign(below, port), {})
  return [
    {
      ...less,
      ...first,
      published: [...new Set(entries.flatMap(({ published }) => published))],
      isPublic: entries.some(({ isPublic }) => isPublic),
      also: others.map(({ at }) => at),
    },
  ]
}

/** Each (target, protocol) once, with all its published ports. */
const distinctPorts = (ports: ReadonlyArray<Port>): ReadonlyArray<Port> => {
  if (ports.length < 2) return ports
  const distinct = grouped(ports, ({ protocol, target }) => `${target}/${protocol}`)
  return distinct.size === ports.length ? ports : [...distinct.values()].flatMap(joined)
}

const readItem = (item: PortItem): Checked<Item | undefined> => (isLong(item) ? readLong(item) : readShort(item))

/** Ports of `ports`, then of `expose`. Finds DT1006, DT1023, DT1018; warns DT1110, DT1121. */
export const readPorts = (raw: RawService, budget: Budget): Checked<ReadonlyArray<Port>> =>
  C.map(({ ports, exposed }: Partial<Record<'ports' | 'exposed', ReadonlyArray<ReadonlyArray<Port>>>>) =>
    distinctPorts([...(ports ?? []), ...(exposed ?? [])].flat()),
  )(
    C.struct({
      ports: pipe(
        raw.ports?.value ?? [],
        C.each(readItem),
        C.andThen((items) => lastOfEach(items.filter((item) => item !== undefined))),
        C.andThen(C.each(expand(budget))),
      ),
      exposed: C.andThen(C.each(expand(budget)))(C.each(readExposed)(raw.expose?.value ?? [])),
    }),
  )
