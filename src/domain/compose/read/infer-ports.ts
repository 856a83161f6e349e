/**
 * Private ports that are not listed: those that other services refer to as `service:port`, and those that a service's
 * Dockerfile exposes. Also warns when such an address uses a name that had to be changed, since it cannot be resolved.
 */
import type { Checked } from '../../checked.ts'
import * as C from '../../checked.ts'
import { type Diagnostic, remark, warning } from '../../diagnostic/diagnostic.ts'
import { defined } from '../../object/defined.ts'
import { resolvePath } from '../../text/path.ts'
import { type Span, source } from '../../text/source.ts'
import type { Files } from '../files.ts'
import { textOf } from '../files.ts'
import type { ComposeService, Port } from '../model.ts'
import { exposedBy } from './dockerfile.ts'
import type { RawService } from './service.ts'

type Mention = { readonly text: string; readonly at: Span; readonly path: string }

/** `NODE_IMAGE=node:20` is not an address. */
const namesImage = /IMAGE|VERSION|TAG/i

const mentions = (service: ComposeService): ReadonlyArray<Mention> => [
  ...service.environment
    .filter(({ name }) => !namesImage.test(name))
    .map(({ value, at, path }) => ({ text: value, at, path })),
  ...[service.command, service.entrypoint].flatMap((words) =>
    (words?.value ?? []).map((text) => ({ text, at: words?.at ?? service.at, path: words?.path ?? service.path })),
  ),
]

const hostAndPort = /(?<![A-Za-z0-9_.-])([A-Za-z0-9][A-Za-z0-9_.-]*):([0-9]{1,5})(?![0-9A-Za-z_.-]*[A-Za-z_])/g

const isKnown = (ports: ReadonlyArray<Port>, number: number): boolean =>
  ports.some((p) => p.protocol === 'TCP' && (p.target === number || p.published.includes(number)))

type Inferred = { readonly ports: Map<string, Array<Port>>; readonly found: Array<Diagnostic> }

const add = (
  { ports, found }: Inferred,
  service: ComposeService,
  port: Port,
  at: Span,
  path: string,
  why: string,
): void => {
  const own = ports.get(service.name) ?? []
  if (isKnown([...service.ports, ...own], port.target)) return
  ports.set(service.name, [...own, port])
  found.push(remark('DT1201', `${service.name} gets the private port ${port.target}: ${why}`, { at, path }))
}

const fromMentions = (services: ReadonlyArray<ComposeService>, inferred: Inferred): void => {
  const byName = new Map(
    services.flatMap((s) => [s.name, ...s.network.aliases.map((a) => a.value)].map((n) => [n, s] as const)),
  )
  for (const reader of services) {
    for (const { text, at, path } of mentions(reader)) {
      const exact = byName.get(text)
      if (exact !== undefined && exact !== reader && exact.name === text)
        sayRenamed(exact, { text, at, path }, inferred.found)
      if (!text.includes(':')) continue
      for (const [, name = '', digits] of text.matchAll(hostAndPort)) {
        const target = byName.get(name)
        const number = Number(digits)
        if (target === undefined || target === reader || number < 1 || number > 65_535) continue
        if (target.name === name) sayRenamed(target, { text: name, at, path }, inferred.found)
        add(
          inferred,
          target,
          { target: number, protocol: 'TCP', published: [], isPublic: false, at },
          at,
          path,
          `"${name}:${number}" is named here`,
        )
      }
    }
  }
}

const sayRenamed = (service: ComposeService, { text, at, path }: Mention, found: Array<Diagnostic>): void => {
  if (service.name === service.object) return
  found.push(
    warning('DT1103', `the name ${text} does not resolve, since the service is named ${service.object}`, {
      at,
      path,
      help: `write ${service.object}`,
    }),
  )
}

/** Source text of a local Dockerfile; `undefined` for a remote context, or when there is none. */
export const dockerfileOf = (
  raw: RawService,
  files: Files,
): { readonly path: string; readonly text: string; readonly target?: string } | undefined => {
  const { build } = raw.value
  if (build === undefined) return undefined
  const options = typeof build.value === 'string' ? {} : build.value
  const context = typeof build.value === 'string' ? build.value : (build.value.context?.value ?? '.')
  const target = defined({ target: options.target?.value })
  if (options.dockerfile_inline !== undefined) {
    return { path: build.at.source.file, text: options.dockerfile_inline.value, ...target }
  }
  if (/^[a-z+]+:\/\/|^git@|^github\.com\//.test(context)) return undefined
  const folder = resolvePath(build.at.source.folder, context)
  const path = resolvePath(folder, options.dockerfile?.value ?? 'Dockerfile')
  const content = files.want(path)
  const text = content?._tag === 'File' ? textOf(content.bytes) : undefined
  return text === undefined ? undefined : { path, text, ...target }
}

const fromDockerfile = (service: ComposeService, raw: RawService, files: Files, inferred: Inferred): void => {
  const dockerfile = dockerfileOf(raw, files)
  if (dockerfile === undefined) return
  const isInline = dockerfile.path === raw.at.source.file
  for (const port of exposedBy(source(dockerfile.path, '.', dockerfile.text), dockerfile.target)) {
    const at = isInline ? (raw.value.build?.at ?? service.at) : port.at
    add(
      inferred,
      service,
      { ...port, published: [], isPublic: false, at },
      at,
      service.path,
      'its Dockerfile exposes it',
    )
  }
}

/** The services with the inferred ports. Notes DT1201 for each; warns DT1103 where a changed name is used. */
export const inferPorts = (
  services: ReadonlyArray<ComposeService>,
  raws: ReadonlyMap<string, RawService>,
  files: Files,
): Checked<ReadonlyArray<ComposeService>> => {
  const inferred: Inferred = { ports: new Map(), found: [] }
  for (const service of services) {
    const raw = raws.get(service.name)
    if (raw !== undefined) fromDockerfile(service, raw, files, inferred)
  }
  fromMentions(services, inferred)
  const complete = services.map((service) => {
    const more = inferred.ports.get(service.name)
    return more === undefined ? service : { ...service, ports: [...service.ports, ...more] }
  })
  return C.note(complete, inferred.found)
}
