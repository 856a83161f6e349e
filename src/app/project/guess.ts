/** A name for the environment when nobody gave one: that of the repository. */
import { textOf } from '../../domain/compose/files.ts'
import { gitFolder, originUrl, repositoryName } from '../../domain/text/git-config.ts'
import { folderOf, resolvePath } from '../../domain/text/path.ts'
import type { Asking, Store } from './asking.ts'

const textAt = ({ contents }: Store, path: string): string | undefined => {
  const content = contents.get(path)
  return content?._tag === 'File' ? textOf(content.bytes) : undefined
}

/** The folder and all above it. */
const upwards = (folder: string): ReadonlyArray<string> => {
  const above = folderOf(folder)
  return above === folder ? [folder] : [folder, ...upwards(above)]
}

/** The folder that holds `config`, which work trees share. */
function* configFolder(store: Store, at: string, folder: string): Asking<string | undefined> {
  const dotGit = resolvePath(at, '.git')
  if (store.kinds.get(dotGit) === 'Folder') return dotGit
  yield { _tag: 'Read', paths: [dotGit], folder }
  const target = gitFolder(textAt(store, dotGit) ?? '')
  if (target === undefined) return undefined
  const own = resolvePath(at, target)
  const common = resolvePath(own, 'commondir')
  yield { _tag: 'Read', paths: [common], folder }
  const shared = textAt(store, common)?.trim()
  return shared === undefined ? own : resolvePath(own, shared)
}

/** `full`: the absolute project folder; without it only `folder` itself is looked into. */
export function* guessName(full: string | undefined, folder: string, store: Store): Asking<string | undefined> {
  const places = full === undefined ? [folder] : upwards(full)
  const marks = places.map((place) => resolvePath(place, '.git'))
  yield { _tag: 'Look', paths: marks }
  const at = places.find((_, index) => ['File', 'Folder'].includes(store.kinds.get(marks[index] ?? '') ?? ''))
  const git = at === undefined ? undefined : yield* configFolder(store, at, folder)
  if (git === undefined) return undefined
  const config = resolvePath(git, 'config')
  yield { _tag: 'Read', paths: [config], folder }
  const url = originUrl(textAt(store, config) ?? '')
  return url === undefined ? undefined : repositoryName(url)
}
