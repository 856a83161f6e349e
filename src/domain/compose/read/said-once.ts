/** What is said once a file, with everything it is about: host volumes, credentials, ports that stay private. */
import { type Diagnostic, warning } from '../../diagnostic/diagnostic.ts'
import { defined } from '../../object/defined.ts'
import { looksLikeCredential } from '../../text/credential.ts'
import type { Span } from '../../text/source.ts'
import type { ComposeService, HostMount, Port } from '../model.ts'
import { isData, isSocket } from './host-mounts.ts'

type Placed = { readonly at: Span; readonly path: string }

/** Each place once, except for several of its own names: with `extends` and anchors several services have it. */
const byFile = <A extends Placed>(
  all: ReadonlyArray<A>,
  name: (one: A) => number = () => 0,
): ReadonlyArray<readonly [A, ...ReadonlyArray<A>]> => {
  const seen = new Set<string>()
  const files = new Map<string, [A, ...Array<A>]>()
  for (const one of all) {
    const { file } = one.at.source
    const key = `${file} ${one.at.start} ${one.at.end} ${name(one)}`
    if (seen.has(key)) continue
    seen.add(key)
    const known = files.get(file)
    if (known === undefined) files.set(file, [one])
    else known.push(one)
  }
  return [...files.values()]
}

/** `a, b and c`, each once. */
const listed = (words: ReadonlyArray<string>): string => {
  const all = [...new Set(words)]
  return [all.slice(0, -1).join(', '), all.at(-1)].filter(Boolean).join(' and ')
}

const elsewhere = (others: ReadonlyArray<Placed>, message: string) => others.map(({ at }) => ({ at, message }))

/** What is said about several fields begins with none of them. */
const pathOf = (path: string, others: ReadonlyArray<unknown>): { readonly path?: string } =>
  others.length === 0 ? { path } : {}

const serviceOf = ({ path }: Placed): string => /^services\.([^.[]+)/.exec(path)?.[1] ?? path

const shownMount = ({ source, why }: HostMount): string => (why === undefined ? source : `${source} (${why})`)

/** Once it was tried to make ConfigMaps of them, the flag is no help. */
const hostHelp = (hosts: ReadonlyArray<HostMount>, hasData: boolean): string => {
  const others = hosts.some(({ why }) => why === undefined)
    ? 'use configs: or --host-files=config'
    : 'use configs:, or secrets: for keys and credentials'
  return hasData
    ? `use named volumes for data; put other files into the image, or ${others}`
    : `put the files into the image, ${others}, or a named volume`
}

const hostVolumes = (services: ReadonlyArray<ComposeService>): ReadonlyArray<Diagnostic> => {
  const all = services.flatMap(({ hostMounts }) => hostMounts)
  const sockets = all
    .filter(isSocket)
    .map(({ at, path }) =>
      warning('DT1101', 'the Docker socket is not mounted, since the cluster has none', { at, path }),
    )
  const volumes = byFile(all.filter((host) => !isSocket(host))).map((hosts) => {
    const [{ at, path }, ...others] = hosts
    const names = listed(hosts.map(shownMount))
    const data = listed(hosts.filter(isData).map(({ target }) => target))
    const lost = data === '' ? '' : `: what is written to ${data} is lost with the pod`
    const message =
      others.length === 0
        ? `the host volume ${names} is not mounted${lost}`
        : `the host volumes ${names} are not mounted${lost}`
    const hidden = hosts.flatMap(({ hides = [] }) => hides)
    const related = [
      ...elsewhere(others, 'this one neither'),
      ...hidden.map((mount) => ({ at: mount.at, message: `${mount.target} only kept the image's files from it` })),
    ]
    return warning('DT1101', message, {
      at,
      help: hostHelp(hosts, data !== ''),
      ...pathOf(path, others),
      ...(related.length === 0 ? {} : { related }),
    })
  })
  return [...sockets, ...volumes]
}

const credentials = (services: ReadonlyArray<ComposeService>): ReadonlyArray<Diagnostic> => {
  const all = services.flatMap(({ environment }) =>
    environment.filter(({ name, value }) => looksLikeCredential(name, value)),
  )
  return byFile(all).map(([{ at, name, path }, ...others]) => {
    const message =
      others.length === 0
        ? `${name} looks like a credential, and its value appears in the manifests in plain text`
        : `${listed([name, ...others.map((one) => one.name)])} look like credentials, and their values appear in the manifests in plain text`
    const help = 'keep it in secrets: and let the program read the file'
    return warning('DT1104', message, {
      at,
      help,
      ...pathOf(path, others),
      ...(others.length === 0 ? {} : { related: elsewhere(others, 'here too') }),
    })
  })
}

type KeptPort = Pick<Port, 'target' | 'protocol'> & Placed & { readonly why: string }

const keptPorts = ({ ports }: ComposeService): ReadonlyArray<KeptPort> =>
  ports.flatMap(({ at, keptPrivate, protocol, target }) =>
    keptPrivate === undefined ? [] : [{ at, protocol, target, ...keptPrivate }],
  )

const privatePorts = (services: ReadonlyArray<ComposeService>): ReadonlyArray<Diagnostic> =>
  byFile(services.flatMap(keptPorts), ({ target }) => target).map((ports) => {
    const [{ at, path, target, why }, ...others] = ports
    const reasons = ports.map((port) => `${port.target} of ${serviceOf(port)} (${port.why})`)
    const message =
      others.length === 0 ? `port ${target} stays private: ${why}` : `ports stay private: ${listed(reasons)}`
    const isTcp = ports.some(({ protocol }) => protocol === 'TCP')
    const help = isTcp ? `endpoints: makes ${others.length === 0 ? 'it' : 'a TCP port'} public anyway` : undefined
    const related = others.length === 0 ? undefined : elsewhere(others, 'here too')
    return warning('DT1105', message, { at, ...defined({ help, related }), ...pathOf(path, others) })
  })

/** Warns DT1101, DT1104, DT1105. */
export const saidOnce = (services: ReadonlyArray<ComposeService>): ReadonlyArray<Diagnostic> => [
  ...hostVolumes(services),
  ...credentials(services),
  ...privatePorts(services),
]
