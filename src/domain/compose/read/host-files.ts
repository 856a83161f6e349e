/** `--host-files=config`: files of the project that services mount become ConfigMaps, as far as they may. */
import type { Checked } from '../../checked.ts'
import * as C from '../../checked.ts'
import { type Diagnostic, warning } from '../../diagnostic/diagnostic.ts'
import { choose, optional } from '../../shape/parse.ts'
import type { Located, ShapeMember, ValueOf } from '../../shape/shape.ts'
import { encodeBase64 } from '../../text/base64.ts'
import { dnsLabel } from '../../text/dns-name.ts'
import { listed } from '../../text/listed.ts'
import { baseName, pathWritten } from '../../text/path.ts'
import { sha256 } from '../../text/sha256.ts'
import type { document } from '../fields/document.ts'
import { textOf } from '../file-content.ts'
import type { Files } from '../files.ts'
import type { ComposeService } from '../model.ts'
import type { HostConfig, HostMount, Mount } from '../volume-model.ts'
import { ignoredIn } from './host-ignored.ts'
import { isData, isSocket } from './host-mounts.ts'
import { whyByContent } from './host-secrets.ts'
import { type HostFile, type HostReader, hostTree, type LeftOut, mostFiles } from './host-tree.ts'
import type { RawService } from './service.ts'

const choices = { config: 'config', ignore: 'ignore' } as const

/** How files of this machine that services mount are handled. */
export type HostFilesChoice = keyof typeof choices

const KiB = 1024
const mostBytes = 900 * KiB

type RawSecret = NonNullable<ValueOf<typeof document>['value']['secrets']>['value'][number]

/** What a file says about its services and secrets. */
type HostUsers = {
  readonly members: ReadonlyArray<ShapeMember<RawService>>
  readonly secrets: ReadonlyArray<RawSecret>
}

type HostFileOptions = HostReader & {
  /** Real paths that never become ConfigMaps, with what they are. */
  readonly never: ReadonlyMap<string, string>
}

/** `isOwn`: the service itself says so. */
type ServiceChoice = { readonly choice: HostFilesChoice; readonly isOwn: boolean }

const readWish = ({ value: { value } }: ShapeMember<RawService>, choice: HostFilesChoice): Checked<ServiceChoice> =>
  C.map(
    (own: Located<HostFilesChoice> | undefined): ServiceChoice => ({
      choice: own?.value ?? choice,
      isOwn: own !== undefined,
    }),
  )(optional(value['x-devtool-host-files'], choose('choice for host files', choices)))

const isBeneath = (folder: string, path: string): boolean => path !== folder && path.startsWith(`${folder}/`)

/** Why a mount cannot become a ConfigMap, as far as that is known before its files are read. */
const whyNot = (service: ComposeService, host: HostMount, place: string, isOwn: boolean, options: HostFileOptions) => {
  if (host.source.startsWith('~')) return 'outside the project folder'
  const entry = options.files.host.look(place)
  if (entry === undefined) return undefined
  if (entry._tag === 'Outside') return 'outside the project folder'
  if (entry._tag === 'Missing') return 'it does not exist'
  if (entry._tag === 'Other' || entry._tag === 'TooMany') return 'not a file or folder'
  if (isData(host)) return 'data'
  if (entry._tag === 'File') return undefined
  const never = options.never.get(entry.real)
  if (never !== undefined) return never
  if (!host.readOnly && !isOwn) return 'a folder that is not mounted read-only'
  const targets = [...service.mounts, ...service.hostMounts, ...(host.hides ?? [])]
  return targets.some(({ target }) => isBeneath(host.target, target))
    ? 'something else is mounted beneath it'
    : undefined
}

const longestKey = 253

/** A key for each path, which ConfigMaps accept. */
const keyOf = (taken: ReadonlyMap<string, unknown>, path: string, target: string): string => {
  const key = path
    .replaceAll('/', '__')
    .replaceAll(/[^-._a-zA-Z0-9]/g, '_')
    .replace(/^\.\.?/, '_')
  if (key.length <= longestKey && !taken.has(key) && key !== '') return key
  return `${key.slice(0, 200)}-${sha256(`${target} ${path}`).slice(0, 8)}`
}

type ConfigEntry = HostConfig['entries'][number]

const contentOf = (bytes: Uint8Array): ConfigEntry['content'] => {
  const text = textOf(bytes)
  return text === undefined ? { _tag: 'Bytes', base64: encodeBase64(bytes) } : { _tag: 'Text', text }
}

const executable = 0o555

const mountOf = (config: string, host: HostMount, files: ReadonlyArray<HostFile & { readonly key: string }>): Mount => {
  const { at, path, target } = host
  const items = files.map(({ isExecutable, key, path: below }) => ({
    key,
    path: below === '' ? key : below,
    ...(isExecutable ? { mode: executable } : {}),
  }))
  const isFile = files[0]?.path === ''
  const [only] = items
  return {
    _tag: 'HostFiles',
    config,
    items,
    ...(isFile && only !== undefined ? { subPath: only.path } : {}),
    target,
    readOnly: true,
    at,
    path,
  }
}

const sizeOf = (bytes: number): string => `${Math.ceil(bytes / KiB)} KiB`

type ConvertedService = {
  readonly service: ComposeService
  readonly leftOut: ReadonlyArray<LeftOut & { readonly host: HostMount }>
}

const turn = (service: ComposeService, isOwn: boolean, options: HostFileOptions): ConvertedService => {
  const config = dnsLabel(`${service.name}-files`)
  const entries = new Map<string, ConfigEntry>()
  const mounts: Array<Mount> = []
  const hostMounts: Array<HostMount> = []
  const leftOut: Array<LeftOut & { readonly host: HostMount }> = []
  let leftBytes = mostBytes
  for (const host of service.hostMounts) {
    const keep = (why: string): void => void hostMounts.push({ ...host, why })
    const place = pathWritten(host.at, host.source)
    if (isSocket(host)) {
      hostMounts.push(host)
      continue
    }
    const why = whyNot(service, host, place, isOwn, options)
    if (why !== undefined) {
      keep(why)
      continue
    }
    const tree = hostTree(options, place, leftBytes)
    if (tree.sizeBytes > leftBytes) keep(`${sizeOf(tree.sizeBytes)} of files, of which ${sizeOf(leftBytes)} fit`)
    else if (tree.files.length === 0)
      keep(
        tree.leftOut.length === 0 ? `no files, or more than ${mostFiles}` : listed(tree.leftOut.map((one) => one.why)),
      )
    else {
      const keyed = tree.files.map((file) => {
        const name = file.path === '' ? baseName(place) : file.path
        const key = keyOf(entries, name, host.target)
        entries.set(key, { key, content: contentOf(file.bytes), at: host.at })
        return { ...file, key }
      })
      leftBytes -= tree.files.reduce((sum, { bytes }) => sum + bytes.length, 0)
      mounts.push(mountOf(config, host, keyed))
      for (const one of tree.leftOut) leftOut.push({ ...one, host })
    }
  }
  if (mounts.length === 0) return { service: { ...service, hostMounts }, leftOut }
  const hostConfig: HostConfig = { object: config, at: service.at, entries: [...entries.values()] }
  return { service: { ...service, mounts: [...service.mounts, ...mounts], hostMounts, hostConfig }, leftOut }
}

/** Longer lists are cut: nobody reads them to the end. */
const most = { named: 60, related: 10 }

/** Places by reason. */
const namedByReason = (leftOut: ReadonlyArray<LeftOut>): string => {
  const all = [...new Map(leftOut.map((one) => [`${one.place} ${one.why}`, one])).values()]
  const shown = all.slice(0, most.named)
  const groups = [...new Set(shown.map(({ why }) => why))].map((why) => {
    const places = shown.filter((one) => one.why === why).map(({ place }) => place)
    return `${listed(places)} (${why})`
  })
  return listed([...groups, ...(all.length > shown.length ? [`${all.length - shown.length} more`] : [])])
}

const leftOutFindings = (leftOut: ConvertedService['leftOut']): ReadonlyArray<Diagnostic> =>
  [...new Set(leftOut.map(({ host }) => host.at.source.file))].flatMap((file) => {
    const all = leftOut.filter(({ host }) => host.at.source.file === file)
    const [first] = all
    if (first === undefined) return []
    const related = [...new Set(all.map(({ host }) => host))]
      .filter((host) => host !== first.host)
      .slice(0, most.related)
      .map(({ at }) => ({ at, message: 'here too' }))
    return [
      warning('DT1125', `left out of ConfigMaps: ${namedByReason(all)}`, {
        at: first.host.at,
        help: 'use secrets: for keys and credentials',
        ...(related.length === 0 ? {} : { related }),
      }),
    ]
  })

const contextOf = ({ value: { value } }: ShapeMember<RawService>): ReadonlyArray<string> => {
  const { build } = value
  if (build === undefined) return []
  const written = typeof build.value === 'string' ? build.value : (build.value.context?.value ?? '.')
  return /^[a-z]+:|:\/\//i.test(written) ? [] : [pathWritten(build.at, written)]
}

/** What never becomes a ConfigMap: the whole project folder, and build contexts. */
const neverTurned = (members: ReadonlyArray<ShapeMember<RawService>>, files: Files): ReadonlyMap<string, string> => {
  const contexts = members.flatMap(contextOf).map((place) => [place, 'the build context'] as const)
  const places = [...contexts, [files.host.folder, 'the project folder'] as const]
  return new Map(
    places.flatMap(([place, what]) => {
      const entry = files.host.look(place)
      return entry?._tag === 'Folder' ? [[entry.real, what] as const] : []
    }),
  )
}

/** The files of `secrets:` that are in the project, by their real paths. */
const declaredSecrets = (secrets: ReadonlyArray<RawSecret>, files: Files): ReadonlySet<string> =>
  new Set(
    secrets.flatMap(({ value }) => {
      const file = value?.value.file
      if (file === undefined) return []
      const entry = files.host.look(pathWritten(file.at, file.value))
      return entry?._tag === 'File' || entry?._tag === 'Folder' ? [entry.real] : []
    }),
  )

const contentsOnce = (): HostReader['whyByContent'] => {
  const known = new Map<Uint8Array, { readonly why: string | undefined }>()
  return (bytes) => {
    const found = known.get(bytes) ?? { why: whyByContent(bytes) }
    known.set(bytes, found)
    return found.why
  }
}

/** Finds DT1018; warns DT1125. Nothing is read when no service uses it. */
export const turnHostFiles = (
  services: ReadonlyArray<ComposeService>,
  { members, secrets }: HostUsers,
  choice: HostFilesChoice,
  files: Files,
): Checked<ReadonlyArray<ComposeService>> => {
  const wishes = C.each((member: ShapeMember<RawService>) =>
    C.map((wish: ServiceChoice) => [member.key.text, wish] as const)(readWish(member, choice)),
  )(members)
  return C.andThen((read: ReadonlyArray<readonly [string, ServiceChoice]>): Checked<ReadonlyArray<ComposeService>> => {
    const byName = new Map(read.filter(([, wish]) => wish.choice === 'config'))
    if (!services.some(({ hostMounts, name }) => byName.has(name) && hostMounts.length > 0)) return C.ok(services)
    const project = files.host.look(files.host.folder)
    if (project?._tag !== 'Folder') return C.ok(services)
    const options = {
      files,
      project: project.real,
      declared: declaredSecrets(secrets, files),
      whyByContent: contentsOnce(),
      whyIgnored: ignoredIn(project.real, files),
      never: neverTurned(members, files),
    }
    const turned = services.map((service): ConvertedService => {
      const wish = byName.get(service.name)
      return wish === undefined ? { service, leftOut: [] } : turn(service, wish.isOwn, options)
    })
    const done = turned.map(({ service }) => service)
    return C.note(done, leftOutFindings(turned.flatMap(({ leftOut }) => leftOut)))
  })(wishes)
}
