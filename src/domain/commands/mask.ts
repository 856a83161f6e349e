/** Takes values that nobody may read out of what commands print. */

/** Shorter ones would take pieces out of ordinary words. */
const MIN_LENGTH = 6
const MASK = '***'

type Range = readonly [start: number, end: number]

/** What is searched for: each line of each value, since commands print line by line; the longest first. */
export const secretLines = (values: Iterable<string>): ReadonlyArray<string> => {
  const lines = [...values].flatMap((value) => value.split(/\r?\n/)).map((line) => line.trim())
  return [...new Set(lines)].filter((line) => line.length >= MIN_LENGTH).toSorted((a, b) => b.length - a.length)
}

/** Where secrets are, in order; those that overlap or touch are one. */
export const secretRanges = (secrets: ReadonlyArray<string>, text: string): ReadonlyArray<Range> => {
  const found: Array<Range> = []
  for (const secret of secrets) {
    for (let at = text.indexOf(secret); at !== -1; at = text.indexOf(secret, at + 1))
      found.push([at, at + secret.length])
  }
  const merged: Array<Range> = []
  for (const [start, end] of found.toSorted((a, b) => a[0] - b[0])) {
    const last = merged.at(-1)
    if (last === undefined || start > last[1]) merged.push([start, end])
    else merged[merged.length - 1] = [last[0], Math.max(last[1], end)]
  }
  return merged
}

/** `secrets` as {@link secretLines} gives them. */
export const mask = (secrets: ReadonlyArray<string>, text: string): string => {
  let [out, from] = ['', 0]
  for (const [start, end] of secretRanges(secrets, text)) {
    out += text.slice(from, start) + MASK
    from = end
  }
  return out + text.slice(from)
}
