/** Names under which the loser of a conflict is kept, in the folder where it was. */
import { sha256 } from '../text/sha256.ts'
import type { TreeFile, TreeLink } from './entry.ts'
import { childOf, nameOf, parentOf } from './path.ts'

/** The longest name of a file, on nearly all file systems. */
const longestName = 255

const bytesOf = (text: string): number => new TextEncoder().encode(text).length

const cut = (name: string, bytes: number): string => {
  const kept = Array.from(name)
  while (bytesOf(kept.join('')) > bytes) kept.pop()
  return kept.join('')
}

/** A name with an ending, cut to the length that a name may have. */
export const withEnding = (name: string, ending: string): string =>
  `${cut(name, longestName - bytesOf(ending))}${ending}`

const digitsOf = (entry: TreeFile | TreeLink): string => (entry._tag === 'File' ? entry.hash : sha256(entry.target))

/** How many numbered names are tried: earlier copies may have the other names. */
const mostAlike = 200

/** `name.conflict-4f2a91`, with more digits when that is not free, and then with a number. */
export const conflictName = (
  path: string,
  entry: TreeFile | TreeLink,
  isFree: (name: string) => boolean,
): string | undefined => {
  const digits = digitsOf(entry)
  const free = (endings: ReadonlyArray<string>): string | undefined =>
    endings
      .map((ending) => `.conflict-${ending}`)
      .map((suffix) => withEnding(nameOf(path), suffix))
      .find(isFree)
  return (
    free([6, 12, 24, 64].map((length) => digits.slice(0, length))) ??
    free(Array.from({ length: mostAlike }, (_, index) => `${digits.slice(0, 6)}-${index + 2}`))
  )
}

const conflictForm = /^(.+)\.conflict-(?:[0-9a-f]{6,64}(?:-[0-9]{1,3})?|[0-9]{1,3})$/

/** The path of which this is a conflict copy; undefined when it is not one. */
export const conflictOf = (path: string): string | undefined => {
  const [, name] = conflictForm.exec(nameOf(path)) ?? []
  return name === undefined ? undefined : childOf(parentOf(path), name)
}
