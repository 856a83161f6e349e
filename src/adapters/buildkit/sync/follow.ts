/**
 * Adds the targets of symbolic links to the paths of a folder, as patterns: a step that copies a link needs its target.
 * A link that leads out of the folder is resolved as if the folder were the root.
 */
import { lstatSync } from 'node:fs'
import * as E from 'fp-ts/lib/Either.js'
import { globMatch, isGlob } from '../../../domain/ignore/glob.ts'
import { cleanPath } from '../../../domain/ignore/ignore.ts'
import { readLink, toPath } from '../../paths/name.ts'
import { listFolder } from './list.ts'
import { isGone, type Unsendable, unsendable } from './reason.ts'

/** As many links in a row as Linux follows, and more in total than any project has. */
const mostLinks = 40
const mostPaths = 10_000

const isOutside = (path: string): boolean => path === '..' || path.startsWith('../')

const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))

const linkAt = (root: string, path: string): ReadonlyArray<string> => {
  const at = `${root}/${path}`
  if (lstatSync(toPath(at), { throwIfNoEntry: false })?.isSymbolicLink() !== true) return []
  const target = readLink(at).replaceAll('\\', process.platform === 'win32' ? '/' : '\\')
  return [cleanPath(target.startsWith('/') ? target : `/${folderOf(path)}/${target}`)]
}

/** The targets of the links in a path, whose last part may be a pattern. Throws errors of the file system. */
const targetsOf = (root: string, path: string): ReadonlyArray<string> => {
  if (path === '.' || isOutside(path)) return []
  const folder = folderOf(path)
  const name = path.slice(folder === '' ? 0 : folder.length + 1)
  try {
    if (!isGlob(name)) return linkAt(root, path)
    return listFolder(`${root}/${folder}`)
      .map((found) => found.name)
      .filter((found) => globMatch(name, found) === true)
      .flatMap((found) => linkAt(root, folder === '' ? found : `${folder}/${found}`))
  } catch (cause) {
    if (isGone(cause)) return []
    throw cause
  }
}

type FollowedPath = { readonly path: string; readonly links: number }

/** Resolves one path up to its first link: the link's path, and the path to continue with. */
const oneWay = (
  root: string,
  { path, links }: FollowedPath,
): { readonly resolved: string; readonly next: ReadonlyArray<FollowedPath> } => {
  const parts = path.split('/')
  for (let count = 1; count <= parts.length; count += 1) {
    const resolved = parts.slice(0, count).join('/')
    const targets = targetsOf(root, resolved)
    if (targets.length === 0) continue
    const rest = parts.slice(count).join('/')
    return { resolved, next: targets.map((target) => ({ path: `${target}/${rest}`, links: links + 1 })) }
  }
  return { resolved: path, next: [] }
}

/**
 * Each path once, and none below another. `undefined` when the folder itself is among them, so that everything is
 * included.
 */
export const withoutNested = (sorted: ReadonlyArray<string>): ReadonlyArray<string> | undefined => {
  const kept: Array<string> = []
  let last = ''
  for (const path of sorted) {
    if (path === '.') return undefined
    if (path.startsWith(`${last}/`)) continue
    kept.push(path)
    last = path
  }
  return kept
}

const followAll = (root: string, paths: ReadonlyArray<string>): ReadonlyArray<string> | undefined => {
  const resolved = new Set<string>()
  const seen = new Set<string>()
  const ways: Array<FollowedPath> = paths.map((path) => ({ path, links: 0 }))
  for (let way = ways.pop(); way !== undefined; way = ways.pop()) {
    const path = cleanPath(`./${way.path}`)
    if (seen.has(path)) continue
    seen.add(path)
    const { resolved: found, next } = oneWay(root, { path, links: way.links })
    resolved.add(found)
    if (way.links < mostLinks && seen.size < mostPaths) for (const one of next) ways.push(one)
  }
  return withoutNested([...resolved].toSorted())
}

/** `root` as realpath returns it. */
export const followLinks = (
  root: string,
  paths: ReadonlyArray<string>,
): E.Either<Unsendable, ReadonlyArray<string> | undefined> => {
  try {
    return E.right(followAll(root, paths))
  } catch (cause) {
    return E.left(unsendable('', cause))
  }
}
