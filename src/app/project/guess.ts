/** Guesses a name for the environment when none is given: that of the repository. */
import { textOf } from '../../domain/compose/file-content.ts'
import type { Files } from '../../domain/compose/files.ts'
import { gitFolder, originUrl, repositoryName } from '../../domain/text/git-config.ts'
import { folderOf, resolvePath } from '../../domain/text/path.ts'

const textAt = (files: Files, path: string): string | undefined => {
  const content = files.want(path)
  return content?._tag === 'File' ? textOf(content.bytes) : undefined
}

/** The folder and all its parents. */
const upwards = (folder: string): ReadonlyArray<string> => {
  const above = folderOf(folder)
  return above === folder ? [folder] : [folder, ...upwards(above)]
}

/** The folder with the `config` that work trees share. */
const configFolder = (files: Files, at: string): string | undefined => {
  const dotGit = resolvePath(at, '.git')
  if (files.kind(dotGit) === 'Folder') return dotGit
  const target = gitFolder(textAt(files, dotGit) ?? '')
  if (target === undefined) return undefined
  const own = resolvePath(at, target)
  const shared = textAt(files, resolvePath(own, 'commondir'))?.trim()
  return shared === undefined ? own : resolvePath(own, shared)
}

/** `full`: the absolute project folder; without it only `folder` itself is searched. */
export const guessName = (full: string | undefined, folder: string, files: Files): string | undefined => {
  const places = full === undefined ? [folder] : upwards(full)
  const kinds = places.map((place) => files.kind(resolvePath(place, '.git')))
  const at = places.find((_, index) => ['File', 'Folder'].includes(kinds[index] ?? ''))
  const git = at === undefined ? undefined : configFolder(files, at)
  const url = git === undefined ? undefined : originUrl(textAt(files, resolvePath(git, 'config')) ?? '')
  return url === undefined ? undefined : repositoryName(url)
}
