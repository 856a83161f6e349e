/** Sums bytes by folder, and keeps only the largest parts. */
import type { Weight } from '../../../ports/build-contexts.ts'

/** `parts`: the largest entries of a folder. */
type FolderSize = { readonly path: string; readonly bytes: number; readonly parts: ReadonlyArray<FolderSize> }

type Sum = { readonly path: string; bytes: number; parts: Array<FolderSize> }

export type Scale = {
  readonly file: (path: string, bytes: number) => void
  readonly weight: () => Weight
}

const most = 10
/** A folder that holds this share of the total does not say enough by itself. */
const nearlyAll = 0.9

const heaviestFirst = (a: FolderSize, b: FolderSize): number => b.bytes - a.bytes || (a.path < b.path ? -1 : 1)

const keep = (sum: Sum, part: FolderSize): void => {
  sum.bytes += part.bytes
  const last = sum.parts[most - 1]
  if (part.bytes === 0 || (last !== undefined && last.bytes >= part.bytes)) return
  sum.parts = [...sum.parts, part].toSorted(heaviestFirst).slice(0, most)
}

/** While a single folder holds nearly all, it is replaced by its parts. */
const largestOf = ({ bytes, parts }: FolderSize): ReadonlyArray<FolderSize> => {
  const [first, ...rest] = parts
  if (first === undefined || first.parts.length === 0 || first.bytes < bytes * nearlyAll) return parts
  return largestOf({ path: '', bytes, parts: [...first.parts, ...rest].toSorted(heaviestFirst).slice(0, most) })
}

const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))

/** Files come in the order of a walk: those of a folder together. */
export const openScale = (): Scale => {
  let files = 0
  const top: Sum = { path: '', bytes: 0, parts: [] }
  const open: Array<Sum> = [top]
  const closeTo = (folder: string): Sum => {
    for (;;) {
      const sum = open.at(-1) ?? top
      if (sum.path === '' || sum.path === folder || folder.startsWith(`${sum.path}/`)) return sum
      open.pop()
      keep(open.at(-1) ?? top, sum)
    }
  }
  const openTo = (folder: string): Sum => {
    let sum = closeTo(folder)
    while (sum.path !== folder) {
      const end = folder.indexOf('/', sum.path === '' ? 0 : sum.path.length + 1)
      sum = { path: end < 0 ? folder : folder.slice(0, end), bytes: 0, parts: [] }
      open.push(sum)
    }
    return sum
  }
  return {
    file: (path, bytes) => {
      files += 1
      keep(openTo(folderOf(path)), { path, bytes, parts: [] })
    },
    weight: () => {
      closeTo('')
      const largest = largestOf(top).map(({ path, bytes }) => ({ path, bytes }))
      return { files, bytes: top.bytes, largest }
    },
  }
}
