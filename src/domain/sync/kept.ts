/** Copies of files that were made before the files were overwritten or deleted. */

/** `path`: in the tree. `atMs`: since 1970. `name`: the name by which it is restored. */
export type KeptCopy = {
  readonly name: string
  readonly path: string
  readonly atMs: number
  readonly size: number
}

const isAtOrBelow = (path: string, folder: string): boolean =>
  folder === '' || path === folder || path.startsWith(`${folder}/`)

export const keptBelow = (copies: ReadonlyArray<KeptCopy>, folder: string): ReadonlyArray<KeptCopy> =>
  copies.filter(({ path }) => isAtOrBelow(path, folder))

/** The copy of that name, or the newest one of each file at or below a path. `copies`: oldest first. */
export const newestKept = (copies: ReadonlyArray<KeptCopy>, wanted: string): ReadonlyArray<KeptCopy> => {
  const named = copies.filter(({ name }) => name === wanted)
  if (named.length > 0) return named
  return [...new Map(keptBelow(copies, wanted).map((copy) => [copy.path, copy])).values()]
}
