/** The manifest among the files of a project: its contents, and the Compose project it stands for. */

import type { Image } from '../../domain/build/image.ts'
import * as C from '../../domain/checked.ts'
import {
  type AssembledProject,
  type AssembleRequest,
  type ProjectFile,
  projectVariables,
} from '../../domain/compose/assemble.ts'
import { projectFolder } from '../../domain/compose/choose.ts'
import type { Files } from '../../domain/compose/files.ts'
import { isManifestKey } from '../../domain/compose/manifest-keys.ts'
import { mergeNodes } from '../../domain/compose/merge.ts'
import type { Choice } from '../../domain/compose/read/project.ts'
import { type Diagnostic, error, warning } from '../../domain/diagnostic/diagnostic.ts'
import type { ComposeSelection, Manifest } from '../../domain/manifest/model.ts'
import type { ManifestContext, ReadManifest, readManifest } from '../../domain/manifest/read/manifest.ts'
import { defined } from '../../domain/object/defined.ts'
import { listed } from '../../domain/text/listed.ts'
import { didYouMean } from '../../domain/text/suggest.ts'
import { get, type Mapping, type Node, type Scalar } from '../../domain/yaml/node.ts'

/**
 * `manifest` is absent when it has errors, or there is none. `request` names the Compose files, `view` shows the
 * manifest as one of them.
 */
export type FoundManifest = {
  readonly isManifest: boolean
  readonly findings: ReadonlyArray<Diagnostic>
  readonly manifest?: Manifest
  /** Its images, even if there are other errors in it. */
  readonly images?: ReadonlyArray<Image>
  readonly request: AssembleRequest
  readonly view: (files: Files) => Files
  readonly compose: ReadonlyArray<ComposeSelection>
  /** Whether its own sections include other Compose files. */
  readonly isIncluding: boolean
  readonly endpoints?: Node
}

/** A file that contains a manifest. */
type Tree = { readonly file: ProjectFile; readonly root: Mapping; readonly key: Scalar }

/** The tree of the file, if it is a manifest. Files that cannot be read are left to the reader of Compose files. */
const manifestTree = (file: ProjectFile, folder: string, files: Files): ReadonlyArray<Tree> => {
  const documents = files.documents(file.path, folder)
  const trees = documents === undefined ? [] : (C.valueOf(documents) ?? [])
  const [first, ...more] = trees
  const isManifest = trees.some((tree) => tree._tag === 'Mapping' && tree.entries.some(isManifestEntry))
  if (first === undefined || !isManifest) return []
  const root = more.reduce<Node>((below, tree) => mergeNodes('', below, tree), first)
  const key = root._tag === 'Mapping' ? root.entries.find(isManifestEntry)?.key : undefined
  return root._tag === 'Mapping' && key !== undefined ? [{ file, root, key }] : []
}

const isManifestEntry = ({ key }: { readonly key: Scalar }): boolean => isManifestKey(key.text)

/** The manifests among the files, and the code that reads them, which is loaded only when there are any. */
export type Manifests = { readonly trees: ReadonlyArray<Tree>; readonly readManifest: typeof readManifest }

/** The files to read; `manifests` is there when one of them is a manifest. */
export type OpenedManifest = { readonly request: AssembleRequest; readonly manifests?: Manifests }

export const manifestTrees = ({ files: written, folder }: AssembleRequest, files: Files): ReadonlyArray<Tree> =>
  written.flatMap((file) => manifestTree(file, folder, files))

const requestFor = (request: AssembleRequest, { manifest, variables }: ReadManifest): AssembleRequest => ({
  ...request,
  files: [
    ...manifest.deploy.compose.map(({ at, file }) => ({ path: file, folder: projectFolder(file), at })),
    ...request.files,
  ],
  platform: new Map([...request.platform, ...variables]),
})

/** There is no manifest among the files. */
const unread = (request: AssembleRequest, findings: ReadonlyArray<Diagnostic>): FoundManifest => ({
  isManifest: false,
  findings,
  request,
  view: (files) => files,
  compose: [],
  isIncluding: false,
})

/** Shows the manifest as a file that has only its own Compose sections. */
const viewOf =
  (path: string, inline: Mapping) =>
  (files: Files): Files => ({
    ...files,
    documents: (wanted, folder) => (wanted === path ? C.ok([inline]) : files.documents(wanted, folder)),
  })

/** Reads the manifest among the files. `registry`: for built images, when a flag gives one. */
export const findManifest = (
  request: AssembleRequest,
  manifests: Manifests | undefined,
  context: Omit<ManifestContext, 'variables'>,
  files: Files,
): FoundManifest => {
  const [tree, ...more] = manifests?.trees ?? []
  if (manifests === undefined || tree === undefined) return unread(request, [])
  const read = manifests.readManifest(tree.root, { ...context, variables: projectVariables(request, files) })
  const second = more.map(({ file, key }) =>
    error('DT1501', `${file.path} is a second manifest beside ${tree.file.path}`, { at: key, help: 'give only one' }),
  )
  const found = C.valueOf(read)
  const findings = [...C.findings(read), ...second]
  if (found === undefined) return unread(request, findings)
  const { endpoints, inline, manifest } = found
  return {
    isManifest: true,
    findings,
    ...(C.hasErrors(findings) ? {} : { manifest }),
    images: manifest.build,
    request: requestFor(
      { ...request, files: request.files.filter((file) => !more.some((other) => other.file === file)) },
      found,
    ),
    view: viewOf(tree.file.path, inline),
    compose: manifest.deploy.compose,
    isIncluding: get(inline, 'include') !== undefined,
    ...defined({ endpoints }),
  }
}

/** The project with the endpoints of the manifest instead of its own; DT1512 warns when it had any. */
export const withEndpoints = (project: AssembledProject, { endpoints }: FoundManifest): C.Checked<AssembledProject> => {
  if (endpoints === undefined) return C.ok(project)
  const { root } = project
  const own = root.entries.find(({ key }) => key.text === 'endpoints')
  const key: Scalar = { ...endpoints, _tag: 'Scalar', text: 'endpoints', plain: true }
  const entries = [...root.entries.filter((entry) => entry !== own), { key, value: endpoints }]
  const replaced =
    own === undefined
      ? []
      : [
          warning('DT1512', 'these endpoints replace those of the Compose files', {
            at: endpoints,
            path: 'deploy.endpoints',
            related: [{ at: own.key, message: 'replaced' }],
          }),
        ]
  return C.note({ ...project, root: { ...root, entries } }, replaced)
}

/** Whether a service comes from a file that is not limited, or from one that such a file includes. */
const isUnlimited = ({ compose, request, isIncluding }: FoundManifest): ((file: string) => boolean) => {
  const limited = new Set(compose.flatMap(({ file, services }) => (services === undefined ? [] : [file])))
  const named = new Set(request.files.map(({ path }) => path))
  const opens = isIncluding || compose.some(({ services }) => services === undefined)
  return (file) => !limited.has(file) && (opens || named.has(file))
}

/** The services that `deploy.compose` names; files without `services` deploy all of theirs. Finds DT1013. */
export const choiceOf = (
  project: AssembledProject,
  found: FoundManifest,
): C.Checked<Pick<Choice, 'services' | 'others'>> => {
  const named = found.compose.flatMap(({ services }) => services ?? [])
  if (found.compose.every(({ services }) => services === undefined)) return C.ok({ services: [] })
  const services = get(project.root, 'services')
  const keys = services?._tag === 'Mapping' ? services.entries.map(({ key }) => key) : []
  const names = keys.map(({ text }) => text)
  const known = new Set(names)
  const all = `the services are ${listed(names)}`
  const unknown = named
    .filter(({ value }) => !known.has(value))
    .map(({ at, path, value }) => {
      const help = (): string => didYouMean(value, names, all)
      return error('DT1013', `there is no service "${value}"`, { at, path, help })
    })
  const wanted = new Set(named.map(({ value }) => value))
  const isOther = isUnlimited(found)
  return C.note(
    {
      services: names.filter((name) => wanted.has(name)),
      others: new Set(keys.flatMap(({ source, text }) => (isOther(source.file) ? [text] : []))),
    },
    unknown,
  )
}
