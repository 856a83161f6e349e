/** Shell patterns for one name or path: `*`, `?`, classes and escapes, as Go's path/filepath defines them. */

/** Code points. */
export type CharSet = {
  readonly isNegated: boolean
  readonly ranges: ReadonlyArray<readonly [low: number, high: number]>
}

/** `undefined` stands for a malformed pattern. */
type Match = boolean | undefined

const SLASH = 0x2f

export const isIn = (set: CharSet, code: number): boolean => {
  for (const [low, high] of set.ranges) if (low <= code && code <= high) return !set.isNegated
  return set.isNegated
}

const slash: CharSet['ranges'] = [[SLASH, SLASH]]
const notSlash: CharSet = { isNegated: true, ranges: slash }

/** All but a line feed, which a dot of a regular expression does not match. */
export const notLineFeed: CharSet = { isNegated: true, ranges: [[0x0a, 0x0a]] }

const codesOf = (text: string): ReadonlyArray<number> => Array.from(text, (char) => char.codePointAt(0) ?? 0)

type Member = { readonly code: number; readonly next: number }

/** One member of a class. It cannot be the last character: a class without an end is malformed. */
const memberAt = (chars: ReadonlyArray<string>, at: number): Member | undefined => {
  const first = chars[at]
  if (first === undefined || first === '-' || first === ']') return undefined
  const place = first === '\\' ? at + 1 : at
  const code = chars[place]?.codePointAt(0)
  return code === undefined || place + 1 >= chars.length ? undefined : { code, next: place + 1 }
}

/** The class whose `[` is right before `from`. */
const classAt = (chars: ReadonlyArray<string>, from: number): { set: CharSet; next: number } | undefined => {
  const isNegated = chars[from] === '^'
  const ranges: Array<readonly [number, number]> = []
  for (let at = isNegated ? from + 1 : from; ; ) {
    if (chars[at] === ']' && ranges.length > 0) return { set: { isNegated, ranges }, next: at + 1 }
    const low = memberAt(chars, at)
    const high = low !== undefined && chars[low.next] === '-' ? memberAt(chars, low.next + 1) : low
    if (low === undefined || high === undefined) return undefined
    ranges.push([low.code, high.code])
    at = high.next
  }
}

/** The part between two stars: one set for each character. */
type Chunk = { readonly sets: ReadonlyArray<CharSet> | undefined; readonly next: number }

const chunkAt = (chars: ReadonlyArray<string>, from: number): Chunk => {
  const sets: Array<CharSet> = []
  let at = from
  while (at < chars.length && chars[at] !== '*') {
    if (chars[at] === '[') {
      const found = classAt(chars, at + 1)
      if (found === undefined) return { sets: undefined, next: chars.length }
      sets.push(found.set)
      at = found.next
      continue
    }
    if (chars[at] === '?') sets.push(notSlash)
    else {
      if (chars[at] === '\\') at += 1
      const code = chars[at]?.codePointAt(0)
      if (code === undefined) return { sets: undefined, next: chars.length }
      sets.push({ isNegated: false, ranges: [[code, code]] })
    }
    at += 1
  }
  return { sets, next: at }
}

const fits = (sets: ReadonlyArray<CharSet>, codes: ReadonlyArray<number>, at: number): boolean =>
  at + sets.length <= codes.length && sets.every((set, index) => isIn(set, codes[at + index] ?? 0))

/** Where the name continues after the first match of the chunk; the last chunk has to match the end of the name. */
const goOn = (
  sets: ReadonlyArray<CharSet>,
  codes: ReadonlyArray<number>,
  { from, isStar, isLast }: { readonly from: number; readonly isStar: boolean; readonly isLast: boolean },
): number | undefined => {
  for (let at = from; at <= codes.length; at += 1) {
    const end = at + sets.length
    if (fits(sets, codes, at) && (!isLast || end === codes.length)) return end
    if (!isStar || codes[at] === SLASH) return undefined
  }
  return undefined
}

/** Stops at the first part that does not match: anything malformed after it goes unnoticed, as in Go. */
export const globMatch = (pattern: string, name: string): Match => {
  const chars = Array.from(pattern)
  const codes = codesOf(name)
  let at = 0
  let place = 0
  while (at < chars.length) {
    const isStar = chars[at] === '*'
    while (chars[at] === '*') at += 1
    if (isStar && at === chars.length) return !codes.includes(SLASH, place)
    const { sets, next } = chunkAt(chars, at)
    if (sets === undefined) return undefined
    const end = goOn(sets, codes, { from: place, isStar, isLast: next === chars.length })
    if (end === undefined) return false
    place = end
    at = next
  }
  return place === codes.length
}

/** Whether a name is a pattern at all. */
export const isGlob = (name: string): boolean => /^(?:[^\\*?[]|\\[^])*[*?[]/.test(name)
