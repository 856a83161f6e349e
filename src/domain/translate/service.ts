/**
 * The Kubernetes Service of a Compose service, under its name and each alias of its own. A service without ports also
 * gets one, headless, so that its name resolves. It stays headless when its ports are only known from references, since
 * a cluster IP would block all other ports.
 */
import type { ComposeService, Port } from '../compose/model.ts'
import { type Diagnostic, warning } from '../diagnostic/diagnostic.ts'
import type { Service, ServicePort } from '../k8s/types.ts'
import type { Span } from '../text/source.ts'
import { labelsOf, type TranslationContext } from './context.ts'
import { type Draft, from, fromWritten, listed } from './draft.ts'
import { annotationsOf, metadataOf } from './metadata.ts'

type Entry = { readonly number: number; readonly of: Port; readonly isTarget: boolean }

const key = (number: number, protocol: string): string => `p-${number}-${protocol.toLowerCase()}`

/** Container ports, each followed by those of its published ports that differ from it and from every container port. */
const entriesOf = (ports: ReadonlyArray<Port>): ReadonlyArray<Entry> => {
  const taken = new Set(ports.map(({ target, protocol }) => key(target, protocol)))
  return ports.flatMap((port) => {
    const { target, published, protocol } = port
    const free = published.filter((number) => !taken.has(key(number, protocol)))
    for (const number of free) taken.add(key(number, protocol))
    const others = free.map((number): Entry => ({ number, of: port, isTarget: false }))
    return [{ number: target, of: port, isTarget: true }, ...others]
  })
}

/** RFC 6335, as Kubernetes checks it; names in our own generated form are reserved. */
const isPortName = (name: string): boolean =>
  name.length <= 15 &&
  !/^p-[0-9]+-(?:tcp|udp|sctp)$/.test(name) &&
  /^[a-z0-9](?:-?[a-z0-9])*$/.test(name) &&
  /[a-z]/.test(name)

/** `p-<number>-<protocol>`, or the user's own name where it is valid and not taken. */
const namesOf = (entries: ReadonlyArray<Entry>): ReadonlyArray<string> => {
  const taken = new Set<string>()
  return entries.map(({ number, of, isTarget }) => {
    const { name, protocol } = of
    if (!isTarget || name === undefined || !isPortName(name) || taken.has(name)) return key(number, protocol)
    taken.add(name)
    return name
  })
}

/** DT1155 for a port name that Kubernetes does not accept. */
export const portFindings = ({ ports, path }: ComposeService): ReadonlyArray<Diagnostic> => {
  const names = new Map<string, Span>()
  return ports.flatMap(({ name, target, protocol, at }) => {
    if (name === undefined || name === key(target, protocol)) return []
    const first = names.get(name)
    if (first === undefined) names.set(name, at)
    if (first === undefined && isPortName(name)) return []
    const reason = first === undefined ? 'is not a valid port name in Kubernetes' : 'is the name of another port'
    const help =
      'a port name has at most 15 lower-case letters, digits and single dashes, at least one letter, and is unique within its service'
    return [warning('DT1155', `"${name}" ${reason}: "${key(target, protocol)}" is used`, { at, path, help })]
  })
}

const portsOf = (ports: ReadonlyArray<Port>): ReadonlyArray<Draft<ServicePort>> => {
  const entries = entriesOf(ports)
  const names = namesOf(entries)
  return entries.map(({ number, of: { target, protocol, appProtocol, at } }, index) =>
    from(at, { name: names[index] ?? key(number, protocol), port: number, targetPort: target, protocol, appProtocol }),
  )
}

/** A Service named `name`: the service's own name, or an alias written at `at`. */
export const serviceOf = (
  context: TranslationContext,
  service: ComposeService,
  name: string,
  at: Span | ReadonlyArray<Span>,
): Draft<Service> => {
  const ports = listed(portsOf(service.ports))
  const isHeadless = service.ports.every(({ isMentioned }) => isMentioned)
  const labels = labelsOf(context, service)
  return from(at, {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: metadataOf(context, name, labels.own, annotationsOf(service.annotations)),
    spec: {
      clusterIP: isHeadless || service.headless !== undefined ? from(service.headless?.at, 'None') : undefined,
      publishNotReadyAddresses: isHeadless ? true : fromWritten(service.checksItself),
      selector: from(service.podOf?.at ?? service.at, labels.selector),
      ports,
    },
  })
}
