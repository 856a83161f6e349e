/** Services, profiles and development containers of a project, for shell completion. Files with errors offer what can be read of them. */
import * as E from 'fp-ts/lib/Either.js'
import * as C from '../../domain/checked.ts'
import { noFiles } from '../../domain/compose/choose.ts'
import { get, type Node } from '../../domain/yaml/node.ts'
import type { Ports } from '../../ports/ports.ts'
import { choose, type ProjectOptions } from './choose.ts'
import { noFilesRead, settling } from './reading.ts'

export type CompletionOffer = {
  readonly services: ReadonlyArray<string>
  readonly profiles: ReadonlyArray<string>
  /** Those of the section `dev`, or the services without one. */
  readonly devs: ReadonlyArray<string>
}

/** Reading more than this would cause a delay while typing. */
const limitBytes = 1024 * 1024

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

/** Those of the files themselves, without the files they include. */
export const offered =
  (ports: Pick<Ports, 'files'>) =>
  async (wanted: ProjectOptions): Promise<CompletionOffer> => {
    const settle = settling(ports, noFilesRead(), wanted.isConfined)
    const chosen = await settle('.', (files) => choose(wanted, files))
    const { files: paths, folder } = E.getOrElse(() => noFiles)(chosen)
    const trees = await settle(folder, (files) =>
      paths.flatMap((path) => {
        const content = files.want(path)
        if (content?._tag !== 'File' || content.bytes.length > limitBytes) return []
        return C.valueOf(files.documents(path, folder) ?? C.ok([])) ?? []
      }),
    )
    const all = trees.map((tree) => get(tree, 'services'))
    const services = [...new Set(all.flatMap(keysOf))]
    const devs = [...new Set(trees.flatMap((tree) => keysOf(get(tree, 'dev'))))]
    return { services, profiles: [...new Set(all.flatMap(profilesOf))], devs: devs.length === 0 ? services : devs }
  }
