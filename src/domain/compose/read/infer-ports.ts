/**
 * Private ports that are not listed: those that other services refer to as `service:port`, and those that a service's
 * Dockerfile exposes. Also warns when such an address uses a name that had to be changed, since it cannot be resolved.
 */
import type { Checked } from '../../checked.ts'
import * as C from '../../checked.ts'
import { type Diagnostic, remark } from '../../diagnostic/diagnostic.ts'
import { defined } from '../../object/defined.ts'
import { grouped } from '../../object/grouped.ts'
import { listed } from '../../text/listed.ts'
import { pathWritten, resolvePath } from '../../text/path.ts'
import { source } from '../../text/source.ts'
import { textOf } from '../file-content.ts'
import type { Files } from '../files.ts'
import type { ComposeService, Port } from '../model.ts'
import type { OldName } from './changed-names.ts'
import { exposedBy } from './dockerfile.ts'
import { byNames, imageOf, type Mentions } from './mentions.ts'
import type { RawService } from './service.ts'

const EXPOSED = 'its Dockerfile exposes it'

/** A port that a service gets, and why; `isHeadless`: it has no address of its own. */
type Gain = {
  readonly service: string
  readonly port: Port
  readonly path: string
  readonly why: string
  readonly isHeadless: boolean
}

/** `ports`: those inferred; `numbers`: all that a service has. */
type Inferred = {
  readonly ports: Map<string, Array<Port>>
  readonly numbers: Map<string, Set<number>>
  readonly gained: Array<Gain>
  readonly used: Array<OldName>
}

const numbersOf = ({ ports }: ComposeService): Set<number> =>
  new Set(ports.flatMap(({ protocol, published, target }) => (protocol === 'TCP' ? [target, ...published] : [])))

const add = (
  { gained, numbers, ports }: Inferred,
  service: ComposeService,
  port: Port,
  path: string,
  why: string,
): void => {
  const known = numbers.get(service.name) ?? numbersOf(service)
  numbers.set(service.name, known)
  if (known.has(port.target)) return
  known.add(port.target)
  const own = ports.get(service.name)
  if (own === undefined) ports.set(service.name, [port])
  else own.push(port)
  // Ports that are listed or exposed come before those that are only mentioned.
  const first = service.ports[0] ?? own?.[0] ?? port
  const isHeadless = port.isMentioned === true && first.isMentioned === true
  gained.push({ service: service.name, port, path, why, isHeadless })
}

/** A text may name several ports of one service. */
const remarks = (gained: ReadonlyArray<Gain>): ReadonlyArray<Diagnostic> =>
  [
    ...grouped(gained, ({ path, port: { at }, service }) =>
      JSON.stringify([path, service, at.source.file, at.start, at.end]),
    ).values(),
  ].map((all) => {
    const [{ isHeadless, path, port, service }] = all
    const numbers = all.map((one) => String(one.port.target))
    const why = listed(all.map((one) => one.why))
    const is = all.length > 1 ? 'are' : 'is'
    const said = `${service} gets the private port${all.length > 1 ? 's' : ''} ${listed(numbers)}`
    const list = numbers.map((number) => `"${number}"`).join(', ')
    return remark('DT1201', `${said}: ${why}${why === EXPOSED ? '' : ` ${is} named here`}`, {
      at: port.at,
      path,
      ...(isHeadless ? { help: `expose: [${list}] gives ${service} one stable address` } : {}),
    })
  })

const isOld = ({ name, network, object }: ComposeService, host: string): boolean =>
  host === name ? name !== object : network.aliases.some(({ old }) => old?.includes(host))

const fromMentions = (services: ReadonlyArray<ComposeService>, mentions: Mentions, inferred: Inferred): void => {
  const byName = byNames(services)
  const isImage = imageOf(services)
  for (const reader of services) {
    for (const mention of mentions.get(reader.name) ?? []) {
      for (const address of mention.addresses) {
        const target = byName.get(address.host)
        if (target === undefined || (!address.isUrl && isImage(address, target))) continue
        const { at, isCheck, path } = mention
        if (isOld(target, address.host)) inferred.used.push({ name: address.host, at, path })
        if (address.port === undefined || target === reader || isCheck) continue
        const port: Port = {
          target: address.port,
          protocol: 'TCP',
          published: [],
          isPublic: false,
          isMentioned: true,
          at,
        }
        add(inferred, target, port, path, `"${address.host}:${address.port}"`)
      }
    }
  }
}

/** `path` is absent when the text is in the Compose file. */
type Dockerfile = { readonly path?: string; readonly text: string; readonly target?: string }

/** Source text of a local Dockerfile; `undefined` for a remote context, or when there is none. */
export const dockerfileOf = (raw: RawService, files: Files): Dockerfile | undefined => {
  const { build } = raw.value
  if (build === undefined) return undefined
  const options = typeof build.value === 'string' ? {} : build.value
  const context = typeof build.value === 'string' ? build.value : (build.value.context?.value ?? '.')
  const target = defined({ target: options.target?.value })
  if (options.dockerfile_inline !== undefined) return { text: options.dockerfile_inline.value, ...target }
  if (/^[a-z+]+:\/\/|^git@|^github\.com\//.test(context)) return undefined
  const folder = pathWritten(build.at, context)
  const path = resolvePath(folder, options.dockerfile?.value ?? 'Dockerfile')
  const content = files.want(path)
  const text = content?._tag === 'File' ? textOf(content.bytes) : undefined
  return text === undefined ? undefined : { path, text, ...target }
}

const fromDockerfile = (service: ComposeService, raw: RawService, files: Files, inferred: Inferred): void => {
  const dockerfile = dockerfileOf(raw, files)
  if (dockerfile === undefined) return
  const { path, target, text } = dockerfile
  for (const port of exposedBy(source(path ?? '', '.', text), target)) {
    const at = path === undefined ? (raw.value.build?.at ?? service.at) : port.at
    add(inferred, service, { ...port, published: [], isPublic: false, at }, service.path, EXPOSED)
  }
}

/** The services with the inferred ports, and where changed names are used. Notes DT1201 for each port. */
export const inferPorts = (
  services: ReadonlyArray<ComposeService>,
  mentions: Mentions,
  raws: ReadonlyMap<string, RawService>,
  files: Files,
): Checked<{ readonly services: ReadonlyArray<ComposeService>; readonly used: ReadonlyArray<OldName> }> => {
  const inferred: Inferred = { ports: new Map(), numbers: new Map(), gained: [], used: [] }
  for (const service of services) {
    const raw = raws.get(service.name)
    if (raw !== undefined) fromDockerfile(service, raw, files, inferred)
  }
  fromMentions(services, mentions, inferred)
  const complete = services.map((service) => {
    const more = inferred.ports.get(service.name)
    return more === undefined ? service : { ...service, ports: [...service.ports, ...more] }
  })
  return C.note({ services: complete, used: inferred.used }, remarks(inferred.gained))
}
