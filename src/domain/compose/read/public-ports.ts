/** Published ports that cannot be reached through an Ingress. Reported once per file, with all ports. */
import { type Diagnostic, warning } from '../../diagnostic/diagnostic.ts'
import { listed } from '../../text/listed.ts'
import type { Placed } from '../../text/written.ts'
import type { ComposeService, Port } from '../model.ts'
import { byFile, placesOf } from './by-file.ts'
import { otherProtocols } from './other-protocols.ts'
import { privatePorts } from './private-ports.ts'

type PublicPortFact = Placed & Pick<Port, 'target' | 'protocol'> & { readonly service: string; readonly what?: string }

/** `whatOf`: what a port is known for; `undefined` for a port that is not part of the finding. */
const portsThat = (
  services: ReadonlyArray<ComposeService>,
  whatOf: (port: Port) => Pick<PublicPortFact, 'what'> | undefined,
): ReadonlyArray<PublicPortFact> =>
  services.flatMap(({ name, path, ports }) =>
    ports.flatMap((port) => {
      const what = whatOf(port)
      const { at, protocol, target } = port
      return what === undefined ? [] : [{ at, path: `${path}.ports`, protocol, target, service: name, ...what }]
    }),
  )

const told = (ports: ReadonlyArray<PublicPortFact>): string =>
  listed(ports.map(({ service, target, what }) => `${target} of ${service} (${what})`))

/** DT1105: databases and debuggers. */
const keptPrivate = (services: ReadonlyArray<ComposeService>): ReadonlyArray<Diagnostic> => {
  const kept = portsThat(services, ({ isKeptPrivate, target }) => {
    const what = isKeptPrivate ? privatePorts.get(target) : undefined
    return what === undefined ? undefined : { what }
  })
  return byFile(kept, ({ target }) => target).map((ports) => {
    const [{ target, what }, ...others] = ports
    const isOne = others.length === 0
    const message = isOne
      ? `port ${target} stays private: it is a usual port of ${what}`
      : `usual ports of databases and debuggers stay private: ${told(ports)}`
    const help = `endpoints: makes ${isOne ? 'it' : 'one'} public anyway`
    return warning('DT1105', message, { ...placesOf(ports, 'here too'), help })
  })
}

/**
 * DT1126: other transports stay private, other protocols are not reached. `app_protocol` says that a port speaks HTTP.
 */
const notCarried = (services: ReadonlyArray<ComposeService>): ReadonlyArray<Diagnostic> => {
  const ports = portsThat(services, ({ appProtocol, isKeptPrivate, isPublic, protocol, target }) => {
    const what = otherProtocols.get(target)
    if (isPublic) return what === undefined || appProtocol !== undefined ? undefined : { what }
    return isKeptPrivate && protocol !== 'TCP' && !privatePorts.has(target) ? {} : undefined
  })
  return byFile(ports, ({ protocol, target }) => `${target}/${protocol}`).map((all) => {
    const closed = all.filter(({ what }) => what === undefined)
    const [first, ...others] = all.filter(({ what }) => what !== undefined)
    const clauses = [
      ...(closed.length === 0
        ? []
        : [
            `${listed(closed.map(({ protocol, service, target }) => `${target}/${protocol} of ${service}`))} ${closed.length === 1 ? 'stays' : 'stay'} private`,
          ]),
      ...(first === undefined
        ? []
        : [
            others.length === 0
              ? `${first.target} of ${first.service} usually speaks ${first.what}`
              : `these usually speak something else: ${told([first, ...others])}`,
          ]),
    ]
    const help =
      first === undefined ? undefined : `ports: ["${first.target}"] keeps ${others.length === 0 ? 'it' : 'one'} private`
    return warning('DT1126', `an Ingress carries plain HTTP: ${clauses.join('; ')}`, {
      ...placesOf(all, 'here too'),
      help,
    })
  })
}

/** Warns DT1105, DT1126. */
export const publicPorts = (services: ReadonlyArray<ComposeService>): ReadonlyArray<Diagnostic> => [
  ...keptPrivate(services),
  ...notCarried(services),
]
