/** Whether git or a .dockerignore ignores a path of the project: such files are not part of it. */
import * as E from 'fp-ts/lib/Either.js'
import { type GitRules, isGitIgnored, readGitRules } from '../../ignore/gitignore.ts'
import { ignorePatterns, mostIgnorePatterns } from '../../ignore/ignore.ts'
import { compilePatterns, matchBelow } from '../../ignore/patterns.ts'
import { folderOf, resolvePath } from '../../text/path.ts'
import { type FileContent, textOf } from '../file-content.ts'
import type { Files } from '../files.ts'

export type IsIgnored = (real: string, isFolder: boolean) => boolean

const textIn = (content: FileContent | undefined): string | undefined =>
  content?._tag === 'File' ? textOf(content.bytes) : undefined

/** `path` as it is seen from a folder above it. */
const within = (folder: string, path: string): string => {
  if (path === folder) return ''
  return folder === '.' ? path : path.slice(folder.endsWith('/') ? folder.length : folder.length + 1)
}

/** More than anybody nests folders. */
const mostLevels = 64

/** From the folder upwards. Only an absolute path says what is above it. */
const upwards = (folder: string): ReadonlyArray<string> => {
  const found = [folder]
  for (let at = folder; at.includes('/') && found.length < mostLevels; ) {
    const above = folderOf(at)
    if (above === at) break
    found.push(above)
    at = above
  }
  return found
}

/** The repository that holds the project, or the project itself. */
const topOf = (project: string, files: Files): string => {
  const places = project.startsWith('/') || /^[A-Za-z]:/.test(project) ? upwards(project) : [project]
  const kinds = places.map((place) => files.kind(resolvePath(place, '.git')))
  return places.find((_, index) => kinds[index] === 'Folder' || kinds[index] === 'File') ?? project
}

const dockerIgnores = (text: string, path: string): boolean => {
  const written = ignorePatterns(text)
  if (written.length > mostIgnorePatterns) return true
  const patterns = E.toUnion(compilePatterns(written))
  if (typeof patterns === 'string') return false
  const parts = path.split('/')
  let above: ReturnType<typeof matchBelow> = { isMatch: false, matched: [] }
  for (let end = 1; end <= parts.length; end += 1) {
    above = matchBelow(patterns, parts.slice(0, end).join('/'), above.matched)
  }
  return above.isMatch
}

/** `project`: its real path. Files of each folder are read once. */
export const ignoredIn = (project: string, files: Files): IsIgnored => {
  const top = topOf(project, files)
  const git = new Map<string, GitRules>()
  const docker = new Map<string, string | undefined>()
  const isOurs = (folder: string): boolean => project === '.' || folder === project || folder.startsWith(`${project}/`)
  const read = (folder: string, name: string): string | undefined => {
    const place = resolvePath(folder, name)
    return textIn(isOurs(folder) ? files.host.read(place) : files.want(place))
  }
  const rulesOf = (folder: string): GitRules => {
    const known = git.get(folder)
    if (known !== undefined) return known
    const excluded = folder === top ? (textIn(files.want(resolvePath(top, '.git/info/exclude'))) ?? '') : ''
    const rules = readGitRules(within(top, folder), `${excluded}\n${read(folder, '.gitignore') ?? ''}`)
    git.set(folder, rules)
    return rules
  }
  const dockerOf = (folder: string): string | undefined => {
    if (!docker.has(folder)) docker.set(folder, read(folder, '.dockerignore'))
    return docker.get(folder)
  }
  return (real, isFolder) => {
    const between = upwards(folderOf(real)).filter((folder) => folder !== '.' && folder.length > top.length)
    const all = [top, ...between.toReversed()]
    if (isGitIgnored(all.map(rulesOf), within(top, real), isFolder)) return true
    return all.filter(isOurs).some((folder) => {
      const text = dockerOf(folder)
      return text !== undefined && dockerIgnores(text, within(folder, real))
    })
  }
}
