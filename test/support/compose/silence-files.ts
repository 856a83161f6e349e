/**
 * Values that a project of several files loses silently: those of every Compose file that it reads, and the lines of
 * its env and label files.
 */
import type { Translation } from '../../../src/app/project/translation.ts'
import { textOfFile } from './corpus.ts'
import type { Files } from './project.ts'
import { hearing, isRepeated, type Leaf, leavesIn, namedPlaces, pairOf, showLeaf, wholeKeys } from './silence.ts'

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1)
const pathIn = (folder: string, path: string): string => `${folder}${path.replace(/^\.\//, '')}`

/** What some keys lead to, without the positions in lists. */
const whereOf = (keys: Leaf['keys']): string => keys.map(({ text }) => `${text}\0`).join('')

type VariableLine = { readonly file: string; readonly line: number; readonly name: string }

const linesOf = (file: string, text: string): ReadonlyArray<VariableLine> =>
  text.split('\n').flatMap((line, index) => {
    const name = /^\s*(?:export\s+)?([\w.-]+)\s*=/.exec(line)?.[1]
    return name === undefined ? [] : [{ file, line: index + 1, name }]
  })

/** The lines of env and label files that are not behind anything, unless their name has a value elsewhere. */
const silentLines = (
  files: Files,
  translation: Translation,
  leaves: ReadonlyArray<readonly [file: string, leaf: Leaf]>,
): ReadonlyArray<string> => {
  const wanted = leaves.flatMap(([file, { path, scalar }]) =>
    /\.(?:env_file|label_file)(?:\[\])?(?:\.path)?$/.test(path) ? [pathIn(folderOf(file), scalar.text)] : [],
  )
  const lines = [...new Set(wanted)].flatMap((file) => (file in files ? linesOf(file, textOfFile(files[file])) : []))
  const places = namedPlaces(translation)
  const isHeard = ({ file, line }: VariableLine): boolean =>
    places.some((place) => place.file === file && place.line <= line && line <= place.endLine)
  const names = new Set([
    ...lines.filter(isHeard).map(({ name }) => name),
    ...leaves.map(([, leaf]) => /^[^=]*/.exec(pairOf(leaf) ?? '')?.[0]),
  ])
  return lines
    .filter((line) => !isHeard(line) && !names.has(line.name))
    .map(({ file, line, name }) => `${name} (${file}:${line})`)
}

export const silencesOfFiles = (files: Files, translation: Translation): ReadonlyArray<string> => {
  const read = Object.keys(files).filter((path) => /\.ya?ml$/.test(path))
  const leaves = read.flatMap((file) =>
    leavesIn(file, textOfFile(files[file])).map((leaf): readonly [string, Leaf] => [file, leaf]),
  )
  const silent = new Set(
    read.flatMap((file) => {
      const isHeard = hearing(file, translation)
      return leaves.flatMap(([of, leaf]) => (of === file && !isHeard(leaf) ? [leaf] : []))
    }),
  )
  /** What a finding in one file says about a key, it says about that key in all of them. */
  const wholes = new Set(
    leaves.flatMap(([, leaf]) =>
      wholeKeys(translation, leaf).map((key) => whereOf(leaf.keys.slice(0, leaf.keys.indexOf(key) + 1))),
    ),
  )
  const isTwice = isRepeated(leaves.flatMap(([, leaf]) => (silent.has(leaf) ? [] : [leaf])))
  const isExcused = (leaf: Leaf): boolean =>
    leaf.keys.some((_, i) => wholes.has(whereOf(leaf.keys.slice(0, i + 1)))) || isTwice(leaf)
  return [...[...silent].filter((leaf) => !isExcused(leaf)).map(showLeaf), ...silentLines(files, translation, leaves)]
}
