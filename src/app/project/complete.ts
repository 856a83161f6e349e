/**
 * Services, images, profiles and development containers of a project, for shell completion. Files with errors offer
 * what can be read of them.
 */
import * as E from 'fp-ts/lib/Either.js'
import * as C from '../../domain/checked.ts'
import { noFiles } from '../../domain/compose/choose.ts'
import { folderOf, resolvePath } from '../../domain/text/path.ts'
import { get, type Node } from '../../domain/yaml/node.ts'
import type { Ports } from '../../ports/ports.ts'
import { choose, type ProjectOptions } from './choose.ts'
import { noFilesRead, settling } from './reading.ts'

export type CompletionOffer = {
  readonly services: ReadonlyArray<string>
  /** Names that `build` accepts: entries of `build`, and services that are built. */
  readonly images: ReadonlyArray<string>
  readonly profiles: ReadonlyArray<string>
  /** Names in the section `dev`, or the services without one. */
  readonly devs: ReadonlyArray<string>
}

/** Reading more than this would cause a delay while typing. */
const limitBytes = 1024 * 1024
const mostFiles = 100

const keysOf = (node: Node | undefined): ReadonlyArray<string> =>
  node?._tag === 'Mapping' ? node.entries.map(({ key }) => key.text) : []

const profilesOf = (services: Node | undefined): ReadonlyArray<string> =>
  services?._tag !== 'Mapping'
    ? []
    : services.entries
        .flatMap(({ value }) => {
          const profiles = get(value, 'profiles')
          return profiles?._tag === 'Sequence' ? profiles.items : []
        })
        .flatMap((item) => (item._tag === 'Scalar' ? [item.text] : []))

const builtIn = (services: Node | undefined): ReadonlyArray<string> =>
  keysOf(services).filter((name) => get(get(services, name), 'build') !== undefined)

/** The Compose files of `deploy.compose`, in any of its notations. */
const composeFiles = (selection: Node | undefined): ReadonlyArray<string> => {
  if (selection?._tag === 'Scalar') return [selection.text]
  if (selection?._tag === 'Sequence') return selection.items.flatMap(composeFiles)
  return selection === undefined ? [] : ['file', 'manifest'].flatMap((key) => composeFiles(get(selection, key)))
}

const textsIn = (node: Node | undefined): ReadonlyArray<string> => {
  if (node?._tag === 'Scalar') return [node.text]
  return node?._tag === 'Sequence' ? node.items.flatMap(textsIn) : []
}

/** The files that the tree of the file `path` includes, as far as their names contain no variables. */
const includesOf = (tree: Node, path: string): ReadonlyArray<string> => {
  const include = get(tree, 'include')
  const items = include?._tag === 'Sequence' ? include.items : []
  return items
    .flatMap((item) => textsIn(item._tag === 'Mapping' ? get(item, 'path') : item))
    .filter((name) => !name.includes('$') && !name.includes('://'))
    .map((name) => resolvePath(folderOf(path), name))
}

type WantedFiles = Parameters<Parameters<ReturnType<typeof settling>>[1]>[0]

/** The trees of the files, of the Compose files that a manifest deploys, and of those that they include. */
const treesOf = (files: WantedFiles, folder: string, paths: ReadonlyArray<string>): ReadonlyArray<Node> => {
  const [known, found] = [new Set(paths), new Array<Node>()]
  // A Set is iterated in order of insertion, including items that are added meanwhile.
  for (const path of known) {
    if (known.size > mostFiles) break
    const content = files.want(path)
    if (content?._tag !== 'File' || content.bytes.length > limitBytes) continue
    for (const tree of C.valueOf(files.documents(path, folder) ?? C.ok([])) ?? []) {
      found.push(tree)
      const deployed = composeFiles(get(get(tree, 'deploy'), 'compose')).map((name) => resolvePath(folder, name))
      for (const further of [...deployed, ...includesOf(tree, path)]) known.add(further)
    }
  }
  return found
}

/** The names in the files, in the Compose files that a manifest deploys, and in the files that they include. */
export const offered =
  (ports: Pick<Ports, 'files'>) =>
  async (wanted: ProjectOptions): Promise<CompletionOffer> => {
    const settle = settling(ports, noFilesRead(wanted.shell), wanted.isConfined)
    const chosen = await settle('.', (files) => choose(wanted, files))
    const { files: paths, folder } = E.getOrElse(() => noFiles)(chosen)
    const trees = await settle(folder, (files) => treesOf(files, folder, paths))
    const all = trees.map((tree) => get(tree, 'services'))
    const services = [...new Set(all.flatMap(keysOf))]
    const devs = [...new Set(trees.flatMap((tree) => keysOf(get(tree, 'dev'))))]
    return {
      services,
      images: [...new Set([...trees.flatMap((tree) => keysOf(get(tree, 'build'))), ...all.flatMap(builtIn)])],
      profiles: [...new Set(all.flatMap(profilesOf))],
      devs: devs.length === 0 ? services : devs,
    }
  }
