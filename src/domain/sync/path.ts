/** Paths in trees: `a/b`, '' for the root. */

export const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))

export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

export const childOf = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`)

/** The folders above a path, from the top down, without the root and the path itself. */
export const ancestorsOf = (path: string): ReadonlyArray<string> => {
  const found: Array<string> = []
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) found.push(path.slice(0, at))
  return found
}

export const depthOf = (path: string): number => path.split('/').length

/**
 * Whether a link may lead out of the tree, wherever the other links in it lead. A `..` after a name counts as leading
 * out, since the name may be that of another link.
 */
export const leadsOut = (path: string, target: string): boolean => {
  const parts = target.split('/').filter((part) => part !== '' && part !== '.')
  const down = parts.findIndex((part) => part !== '..')
  const ups = down < 0 ? parts.length : down
  return target === '' || target.startsWith('/') || ups > depthOf(path) - 1 || parts.slice(ups).includes('..')
}
