/** Names that users give to what they rename. */
import { childOf, nameOf, parentOf } from '../../../src/domain/sync/path.ts'
import type { Random } from './random.ts'

/** Some file systems take them for one: they differ in case, or in being composed. */
const spellings = ['\u00e5b', 'a\u030ab', '\u00c5B', 'A\u030aB']

/** A new path of a file, in a folder or with its name spelt otherwise. */
export const renamed = (file: string, folder: string, random: Random): string => {
  const spelling = random.pick(spellings) ?? ''
  if (spellings.includes(nameOf(file))) return childOf(parentOf(file), spelling)
  return childOf(folder, random.chance(0.3) ? spelling : `r${random.below(25)}`)
}
