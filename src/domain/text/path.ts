/** Paths as text, with forward slashes, relative to the working directory. Nothing here touches a file system. */

import type { Span } from './source.ts'

const isAbsolute = (path: string): boolean => path.startsWith('/') || /^[A-Za-z]:[\\/]/.test(path)

/** Removes `.`, empty and resolvable `..` segments; '' becomes `.`. */
export const normalise = (path: string): string => {
  const slashed = path.replaceAll('\\', '/')
  const [, root = '', rest = ''] = /^((?:[A-Za-z]:)?\/|)([^]*)$/.exec(slashed) ?? []
  const kept: Array<string> = []
  for (const part of rest.split('/')) {
    if (part === '' || part === '.') continue
    const last = kept.at(-1)
    if (part !== '..') kept.push(part)
    else if (last !== undefined && last !== '..') kept.pop()
    else if (root === '') kept.push('..')
  }
  return `${root}${kept.join('/')}` || '.'
}

/** `path` relative to `folder`; an absolute path is returned as it is. */
export const resolvePath = (folder: string, path: string): string =>
  normalise(isAbsolute(path) || folder === '.' ? path : `${folder}/${path}`)

/** `~` is the home folder, as in Compose, which does not ask whether a slash follows. */
export const fromHome = (home: string | undefined, path: string): string =>
  home !== undefined && path.startsWith('~') ? normalise(`${home}/${path.slice(1)}`) : path

/** A path that a file has: below the home folder, or relative to the base of that file. */
export const pathWritten = ({ source: { folder, home } }: Span, path: string): string =>
  resolvePath(folder, fromHome(home, path))

/** The folder that contains a file. */
export const folderOf = (path: string): string => resolvePath(path, '..')

/** The last segment. */
export const baseName = (path: string): string => normalise(path).split('/').at(-1) ?? path

/** `path` relative to a folder above it; unchanged when it is not below the folder. */
export const within = (folder: string, path: string): string => {
  if (path === folder) return ''
  const start = folder.endsWith('/') ? folder : `${folder}/`
  return path.startsWith(start) ? path.slice(start.length) : path
}
