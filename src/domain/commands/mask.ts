/** Masks secret values in what commands print. */

/** Shorter values are found everywhere. */
const MIN_LENGTH = 4
/** Shorter values are masked as whole words only: they may be parts of ordinary ones. */
const MIN_PART = 8
const MASK = '***'

type Range = readonly [start: number, end: number]

/** The texts to search for: each line of each value, since commands print line by line; longest first. */
export const secretLines = (values: Iterable<string>): ReadonlyArray<string> => {
  const lines = [...values].flatMap((value) => value.split(/\r?\n/)).map((line) => line.trim())
  return [...new Set(lines)].filter((line) => line.length >= MIN_LENGTH).toSorted((a, b) => b.length - a.length)
}

const isLetter = (char: string | undefined): boolean => char !== undefined && /[\p{L}\p{N}_]/u.test(char)

const isWhole = (text: string, start: number, end: number): boolean =>
  !(isLetter(text[start - 1]) && isLetter(text[start])) && !(isLetter(text[end - 1]) && isLetter(text[end]))

/** The ranges of secrets, in order; overlapping and adjacent ones are merged. */
export const secretRanges = (secrets: ReadonlyArray<string>, text: string): ReadonlyArray<Range> => {
  const found: Array<Range> = []
  for (const secret of secrets) {
    for (let at = text.indexOf(secret); at !== -1; at = text.indexOf(secret, at + 1)) {
      const end = at + secret.length
      if (secret.length >= MIN_PART || isWhole(text, at, end)) found.push([at, end])
    }
  }
  const merged: Array<Range> = []
  for (const [start, end] of found.toSorted((a, b) => a[0] - b[0])) {
    const last = merged.at(-1)
    if (last === undefined || start > last[1]) merged.push([start, end])
    else merged[merged.length - 1] = [last[0], Math.max(last[1], end)]
  }
  return merged
}

/** `secrets` come from {@link secretLines}. */
export const mask = (secrets: ReadonlyArray<string>, text: string): string => {
  let [out, from] = ['', 0]
  for (const [start, end] of secretRanges(secrets, text)) {
    out += text.slice(from, start) + MASK
    from = end
  }
  return out + text.slice(from)
}
