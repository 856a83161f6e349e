/** Guesses the manifest for a folder from the files in it. The caller looks for the files. */

import * as C from '../checked.ts'
import { chartFolders, composeNames, kustomizations, manifestFolders } from '../compose/known-files.ts'
import { exposedBy } from '../compose/read/dockerfile.ts'
import { defined } from '../object/defined.ts'
import { dnsLabel } from '../text/dns-name.ts'
import { resolvePath } from '../text/path.ts'
import { source } from '../text/source.ts'
import { get, type Node } from '../yaml/node.ts'
import { readYaml } from '../yaml/read.ts'
import { anyLanguage, type Language, languageOf, startFiles } from './languages.ts'
import { commandFor } from './steps.ts'

/** `folders`: the names in the folder (`.`) and in its direct subfolders; `texts`: contents by path. */
export type Snapshot = {
  readonly folders: ReadonlyMap<string, ReadonlyArray<string>>
  readonly texts: ReadonlyMap<string, string>
}

/**
 * One way to deploy the folder. Images: services of the manifest's own, one for each Dockerfile. DevOnly: nothing is
 * deployed, the folder is for development containers.
 */
export type DeployMethod =
  | { readonly _tag: 'Compose'; readonly file: string }
  | { readonly _tag: 'Chart'; readonly folder: string }
  | { readonly _tag: 'Manifests'; readonly folder: string; readonly isKustomization: boolean }
  | { readonly _tag: 'Images' }
  | { readonly _tag: 'Nothing' }
  | { readonly _tag: 'DevOnly' }

/**
 * Something that is built here. `context` is relative to the folder; `dockerfile` is set only when it is not
 * `Dockerfile`. `prepare` and `start` are commands of its language, as far as its files tell.
 */
export type Built = {
  readonly name: string
  readonly context: string
  readonly dockerfile?: string
  readonly ports: ReadonlyArray<number>
  readonly language?: Language
  readonly prepare?: string
  readonly start?: string
}

const namesIn = ({ folders }: Snapshot, folder: string): ReadonlyArray<string> => folders.get(folder) ?? []

/** Folders whose names {@link guessWays} needs, besides the direct subfolders. */
export const deeperFolders: ReadonlyArray<string> = chartFolders.filter((folder) => folder.includes('/'))

const isDockerfile = (name: string): boolean => /^Dockerfile(?:[.-][\w.-]+)?$/.test(name) && !name.endsWith('ignore')

/** Best first; at least one. */
export const guessWays = (snapshot: Snapshot): ReadonlyArray<DeployMethod> => {
  const hasDockerfile = [...snapshot.folders.values()].some((names) => names.some(isDockerfile))
  const ways: ReadonlyArray<DeployMethod> = [
    ...composeNames
      .filter((file) => namesIn(snapshot, '.').includes(file))
      .map((file): DeployMethod => ({ _tag: 'Compose', file })),
    ...chartFolders
      .filter((folder) => namesIn(snapshot, folder).includes('Chart.yaml'))
      .map((folder): DeployMethod => ({ _tag: 'Chart', folder })),
    ...manifestFolders
      .filter((folder) => namesIn(snapshot, folder).some((name) => /\.(?:ya?ml|json)$/.test(name)))
      .map((folder): DeployMethod => {
        const isKustomization = kustomizations.some((name) => namesIn(snapshot, folder).includes(name))
        return { _tag: 'Manifests', folder, isKustomization }
      }),
    ...(hasDockerfile ? [{ _tag: 'Images' } as const] : []),
  ]
  return ways.length === 0 ? [{ _tag: 'Nothing' }] : ways
}

const textOf = (node: Node | undefined): string | undefined =>
  node?._tag === 'Scalar' && node.text !== '' ? node.text : undefined

const isPort = (port: number): boolean => Number.isInteger(port) && port > 0 && port < 65_536

/** The container's side of `8080:80/tcp`. */
const portOf = (node: Node): ReadonlyArray<number> => {
  const text = textOf(node._tag === 'Mapping' ? get(node, 'target') : node) ?? ''
  const port = Number(
    text
      .replace(/\/(?:tcp|udp)$/i, '')
      .split(':')
      .at(-1),
  )
  return isPort(port) ? [port] : []
}

const portsOf = (service: Node): ReadonlyArray<number> =>
  ['ports', 'expose'].flatMap((key) => {
    const node = get(service, key)
    return node?._tag === 'Sequence' ? node.items.flatMap(portOf) : []
  })

const exposed = ({ texts }: Snapshot, path: string): ReadonlyArray<number> =>
  exposedBy(source(path, '.', texts.get(path) ?? ''))
    .filter(({ protocol }) => protocol === 'TCP')
    .map(({ target }) => target)

const withLanguage = (snapshot: Snapshot, built: Built): Built => {
  const language = languageOf(namesIn(snapshot, built.context))
  if (language === undefined) return built
  const names = namesIn(snapshot, built.context)
  const folder = { names, textOf: (name: string) => snapshot.texts.get(resolvePath(built.context, name)) ?? '' }
  const [prepare, start] = [commandFor(folder, language.prepare ?? []), commandFor(folder, language.start)]
  return { ...built, language, ...defined({ prepare, start }) }
}

const unique = (ports: ReadonlyArray<number>): ReadonlyArray<number> => [...new Set(ports)]

/** Services of the Compose file that are built from a folder here. */
const builtByCompose = (snapshot: Snapshot, file: string): ReadonlyArray<Built> => {
  const documents = C.valueOf(readYaml(source(file, '.', snapshot.texts.get(file) ?? '')))
  const services = get(documents?.[0], 'services')
  if (services?._tag !== 'Mapping') return []
  return services.entries.flatMap(({ key, value }) => {
    const build = get(value, 'build')
    const context = textOf(build) ?? textOf(get(build, 'context')) ?? (build === undefined ? undefined : '.')
    if (context === undefined || /[$:]/.test(context)) return []
    const folder = resolvePath('.', context)
    const dockerfile = resolvePath(folder, textOf(get(build, 'dockerfile')) ?? 'Dockerfile')
    const ports = unique([...portsOf(value), ...exposed(snapshot, dockerfile)])
    return [withLanguage(snapshot, { name: dnsLabel(key.text), context: folder, ports })]
  })
}

/** `Dockerfile` builds the folder's own image, `Dockerfile.worker` that of a worker. */
const builtByDockerfiles = (snapshot: Snapshot, name: string): ReadonlyArray<Built> => {
  const taken = new Set<string>()
  return [...snapshot.folders].flatMap(([context, names]) =>
    names.filter(isDockerfile).flatMap((file) => {
      const base = context === '.' ? name : (context.split('/').at(-1) ?? context)
      const label = dnsLabel(file === 'Dockerfile' ? base : `${base}-${file.slice('Dockerfile'.length + 1)}`, 52)
      if (taken.has(label)) return []
      taken.add(label)
      const own = file === 'Dockerfile' ? {} : { dockerfile: file }
      const ports = unique(exposed(snapshot, resolvePath(context, file)))
      return [withLanguage(snapshot, { name: label, context, ...own, ports })]
    }),
  )
}

/** What is built when deploying this way. For a chart or manifests, it is unknown which workload uses what. */
export const guessBuilt = (snapshot: Snapshot, way: DeployMethod, name: string): ReadonlyArray<Built> => {
  if (way._tag === 'Compose') return builtByCompose(snapshot, way.file)
  if (way._tag === 'Images') return builtByDockerfiles(snapshot, name)
  if (way._tag !== 'DevOnly') return []
  const ports = unique(exposed(snapshot, 'Dockerfile'))
  return [withLanguage(snapshot, { name, context: '.', ports, language: anyLanguage })]
}

const isTelling = (name: string): boolean => isDockerfile(name) || startFiles.some((file) => file.test(name))

/** Paths of the files to read for guessing, once the names are known. */
export const wantedTexts = (folders: ReadonlyMap<string, ReadonlyArray<string>>): ReadonlyArray<string> => [
  ...composeNames.filter((file) => folders.get('.')?.includes(file)),
  ...[...folders].flatMap(([folder, names]) => names.filter(isTelling).map((file) => resolvePath(folder, file))),
]
