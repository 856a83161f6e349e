/** Whether git or a .dockerignore ignores a path of the project: such files are not part of it. */
import * as E from 'fp-ts/lib/Either.js'
import { type GitRules, isGitIgnored, readGitRules } from '../../ignore/gitignore.ts'
import { ignorePatterns, mostIgnorePatterns } from '../../ignore/ignore.ts'
import { compilePatterns, matchBelow } from '../../ignore/patterns.ts'
import { gitFolder } from '../../text/git-config.ts'
import { folderOf, resolvePath, within } from '../../text/path.ts'
import { type FileContent, textOf } from '../file-content.ts'
import type { Files } from '../files.ts'

/** Why a real path is left out. */
export type WhyIgnored = (real: string, isFolder: boolean) => string | undefined

const textIn = (content: FileContent | undefined): string | undefined =>
  content?._tag === 'File' ? textOf(content.bytes) : undefined

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

const ignored = 'ignored by git or .dockerignore'

/** The repository that holds the project, or the project itself. */
const topOf = (project: string, files: Files): string => {
  const places = project.startsWith('/') || /^[A-Za-z]:/.test(project) ? upwards(project) : [project]
  const kinds = places.map((place) => files.kind(resolvePath(place, '.git')))
  return places.find((_, index) => kinds[index] === 'Folder' || kinds[index] === 'File') ?? project
}

const byDocker = (text: string, path: string): string | undefined => {
  const written = ignorePatterns(text)
  if (written.length > mostIgnorePatterns) return `below a .dockerignore of more than ${mostIgnorePatterns} patterns`
  const patterns = compilePatterns(written)
  if (E.isLeft(patterns)) return `below a .dockerignore with the invalid pattern ${patterns.left}`
  const parts = path.split('/')
  let above: ReturnType<typeof matchBelow> = { isMatch: false, matched: [] }
  for (let end = 1; end <= parts.length; end += 1) {
    above = matchBelow(patterns.right, parts.slice(0, end).join('/'), above.matched)
  }
  return above.isMatch ? ignored : undefined
}

/**
 * The file of ignore rules that are local to a repository (`info/exclude`); in a worktree it is in the folder of the
 * main one.
 */
const excludeFile = (top: string, files: Files): string => {
  const own = resolvePath(top, '.git')
  if (files.kind(own) !== 'File') return `${own}/info/exclude`
  const folder = resolvePath(top, gitFolder(textIn(files.want(own)) ?? '') ?? '.git')
  const common = textIn(files.want(`${folder}/commondir`))?.trim() || '.'
  return resolvePath(folder, `${resolvePath(folder, common)}/info/exclude`)
}

type IgnoreFile = { readonly text: string; readonly isUnreadable: boolean }

const ignoreFile = (content: FileContent | undefined): IgnoreFile => {
  const text = textIn(content)
  const isThere = content !== undefined && content._tag !== 'Missing' && content._tag !== 'NotAFile'
  return { text: text ?? '', isUnreadable: isThere && text === undefined }
}

/** `project`: its real path. Files of each folder are read once. What cannot be read ignores everything. */
export const ignoredIn = (project: string, files: Files): WhyIgnored => {
  const top = topOf(project, files)
  const git = new Map<string, GitRules>()
  const docker = new Map<string, IgnoreFile>()
  const unread = new Map<string, string>()
  const isOurs = (folder: string): boolean => project === '.' || folder === project || folder.startsWith(`${project}/`)
  const read = (folder: string, name: string): IgnoreFile => {
    const place = resolvePath(folder, name)
    const found = ignoreFile(isOurs(folder) ? files.host.read(place) : files.want(place))
    if (found.isUnreadable) unread.set(folder, `below a ${name} that cannot be read`)
    return found
  }
  const rulesOf = (folder: string): GitRules => {
    const known = git.get(folder)
    if (known !== undefined) return known
    const excluded = folder === top ? ignoreFile(files.want(excludeFile(top, files))) : undefined
    if (excluded?.isUnreadable === true) unread.set(folder, 'below an info/exclude that cannot be read')
    const rules = readGitRules(within(top, folder), `${excluded?.text ?? ''}\n${read(folder, '.gitignore').text}`)
    const [first] = rules.unread
    if (first !== undefined) unread.set(folder, `below a .gitignore with the invalid pattern ${first}`)
    git.set(folder, rules)
    return rules
  }
  const dockerOf = (folder: string): IgnoreFile => {
    const found = docker.get(folder) ?? read(folder, '.dockerignore')
    docker.set(folder, found)
    return found
  }
  return (real, isFolder) => {
    const between = upwards(folderOf(real)).filter((folder) => folder !== '.' && folder.length > top.length)
    const all = [top, ...between.toReversed()]
    const rules = all.map(rulesOf)
    const texts = all.filter(isOurs).map((folder) => [folder, dockerOf(folder)] as const)
    const failed = all.map((folder) => unread.get(folder)).find((why) => why !== undefined)
    if (failed !== undefined) return failed
    if (isGitIgnored(rules, within(top, real), isFolder)) return ignored
    return texts.map(([folder, { text }]) => byDocker(text, within(folder, real))).find((why) => why !== undefined)
  }
}
