/** The known word that a misspelt one was meant to be: Damerau-Levenshtein distance, transposed neighbours counting 1. */

/** Longer words are no typing mistakes, and comparing them is quadratic. */
const LONGEST = 100

/**
 * The first of the nearest candidates, if it is near: a third of the word may differ, and of three letters or more always
 * one. Case and `-` against `_` count half; a word that differs in nothing else, half in all.
 */
export const closest = (word: string, candidates: ReadonlyArray<string>): string | undefined => {
  if (word.length > LONGEST) return undefined
  const threshold = word.length >= 3 ? Math.max(1, word.length / 3) : 0.5
  let [best, least]: [string | undefined, number] = [undefined, Number.POSITIVE_INFINITY]
  for (const candidate of candidates) {
    if (candidate.length > LONGEST) continue
    const distance = distanceOf(word, candidate)
    if (distance <= threshold && distance < least) [best, least] = [candidate, distance]
  }
  return best
}

const fold = (text: string): string => text.toLowerCase().replaceAll('_', '-')

const distanceOf = (a: string, b: string): number => {
  if (a === b) return 0
  if (fold(a) === fold(b)) return 0.5
  let [before, row]: [ReadonlyArray<number>, ReadonlyArray<number>] = [
    [],
    Array.from({ length: b.length + 1 }, (_, j) => j),
  ]
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const [x, y] = [a.charAt(i - 1), b.charAt(j - 1)]
      const changed = (row[j - 1] ?? 0) + (x === y ? 0 : fold(x) === fold(y) ? 0.5 : 1)
      const isSwapped = i > 1 && j > 1 && x === b[j - 2] && a[i - 2] === y
      const swapped = isSwapped ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, changed, swapped))
    }
    ;[before, row] = [row, next]
  }
  return row[b.length] ?? 0
}
