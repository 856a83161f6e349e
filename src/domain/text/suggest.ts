/**
 * Finds the known word that a misspelt one stands for: Damerau-Levenshtein distance, in which a transposition counts as
 * 1.
 */

import { listed } from './listed.ts'

/** Longer words are not typos, and comparing them is quadratic. */
const LONGEST = 100

/** Among more names of a file, nobody has a closest one in mind. */
const mostCandidates = 1_000

/**
 * The closest candidate, if it is close enough: a third of the letters may differ, but at least one for words of three
 * letters or more. Differences in case and between `-` and `_` count half; a word with only such differences counts
 * half in all.
 */
export const closest = (word: string, candidates: ReadonlyArray<string>): string | undefined => {
  if (word.length > LONGEST) return undefined
  const threshold = word.length >= 3 ? Math.max(1, word.length / 3) : 0.5
  const letters = lettersOf(word)
  let [best, least]: [string | undefined, number] = [undefined, Number.POSITIVE_INFINITY]
  for (const candidate of candidates) {
    const most = Math.min(threshold, least)
    if (candidate.length > LONGEST || isFarApart(word, letters, candidate, most)) continue
    const distance = distanceOf(word, candidate, most)
    if (distance <= threshold && distance < least) [best, least] = [candidate, distance]
  }
  return best
}

/** Help for a word that is none of the candidates: the closest one, or else `otherwise`. */
export const didYouMean = (
  word: string,
  candidates: ReadonlyArray<string> | ReadonlySet<string> | ReadonlyMap<string, unknown>,
  otherwise: string,
): string => {
  const count = 'size' in candidates ? candidates.size : candidates.length
  const names = (): ReadonlyArray<string> => ('size' in candidates ? [...candidates.keys()] : candidates)
  const near = count > mostCandidates ? undefined : closest(word, names())
  return near === undefined ? otherwise : `did you mean "${near}"?`
}

const thereAre = (names: ReadonlyArray<string>): string =>
  names.length === 1 ? `there is only ${names[0]}` : `there are ${listed(names)}`

/** Help for an unknown name: the closest one, or all `known` ones, or `none`. */
export const suggestion = (name: string, known: ReadonlyArray<string>, none: string): string =>
  didYouMean(name, known, known.length === 0 ? none : thereAre(known))

const fold = (text: string): string => text.toLowerCase().replaceAll('_', '-')

/** `fold` of one ASCII character. */
const foldCode = (code: number): number => (code === 95 ? 45 : code >= 65 && code <= 90 ? code + 32 : code)

const isSameFolded = (x: number, y: number): boolean =>
  x < 128 && y < 128 ? foldCode(x) === foldCode(y) : fold(String.fromCharCode(x)) === fold(String.fromCharCode(y))

/** A bit for each letter of a word; 0 when it is not ASCII. Letters that share a bit only lower the bound below. */
const lettersOf = (text: string): number => {
  let letters = 0
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i)
    if (code > 127) return 0
    letters |= 1 << (foldCode(code) & 31)
  }
  return letters
}

/** Of 32 bits, in parallel: there are 16 pairs, 8 groups of four, 4 bytes. */
const bitCount = (bits: number): number => {
  const pairs = bits - ((bits >>> 1) & 0x5555_5555)
  const fours = (pairs & 0x3333_3333) + ((pairs >>> 2) & 0x3333_3333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24
}

/** Cheap lower bounds for the distance: each edit adds or removes at most one letter. `letters`: those of `a`. */
const isFarApart = (a: string, letters: number, b: string, most: number): boolean => {
  if (Math.abs(a.length - b.length) > most) return true
  const others = lettersOf(b)
  if (letters === 0 || others === 0) return false
  return bitCount(letters & ~others) > most || bitCount(others & ~letters) > most
}

/** More than `most` for any greater distance, so that most words are given up early. */
const distanceOf = (a: string, b: string, most: number): number => {
  if (a === b) return 0
  if (a.length === b.length && fold(a) === fold(b)) return 0.5
  let before: Array<number> = []
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  let nearest = 0
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    const above = nearest
    nearest = i
    const x = a.charCodeAt(i - 1)
    for (let j = 1; j <= b.length; j += 1) {
      const y = b.charCodeAt(j - 1)
      const changed = (row[j - 1] ?? 0) + (x === y ? 0 : isSameFolded(x, y) ? 0.5 : 1)
      let distance = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, changed)
      if (i > 1 && j > 1 && x === b.charCodeAt(j - 2) && y === a.charCodeAt(i - 2)) {
        distance = Math.min(distance, (before[j - 2] ?? 0) + 1)
      }
      next.push(distance)
      if (distance < nearest) nearest = distance
    }
    if (nearest > most && above > most) return Number.POSITIVE_INFINITY
    ;[before, row] = [row, next]
  }
  return row[b.length] ?? 0
}
