/**
 * Compiles a pattern into steps for a machine that reads a path once, without backtracking. BuildKit turns patterns
 * into regular expressions, so a pattern means here what that expression means in Go.
 */
import { type CharSet, isIn, notLineFeed } from './glob.ts'

type Edge = 'Start' | 'End' | 'Word' | 'NoWord'

/** Maybe: the next step, or the one after it. Through: anything on one line up to and including a slash. */
export type PatternStep =
  | { readonly _tag: 'Char'; readonly code: number }
  | { readonly _tag: 'One'; readonly set: CharSet }
  | { readonly _tag: 'Many'; readonly set: CharSet }
  | { readonly _tag: 'Maybe' }
  | { readonly _tag: 'Through' }
  | { readonly _tag: 'At'; readonly edge: Edge }

const SLASH = 0x2f
const controls: Readonly<Record<string, number>> = { a: 7, f: 12, n: 10, r: 13, t: 9, v: 11 }
const edges: Readonly<Record<string, Edge>> = { A: 'Start', z: 'End', b: 'Word', B: 'NoWord' }

const digits: CharSet['ranges'] = [[0x30, 0x39]]
const spaces: CharSet['ranges'] = [
  [0x09, 0x0a],
  [0x0c, 0x0d],
  [0x20, 0x20],
]
const words: CharSet['ranges'] = [
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
]
const groups: Readonly<Record<string, CharSet['ranges']>> = { d: digits, s: spaces, w: words }

/** All code points outside the ranges, which are sorted. */
const without = (ranges: CharSet['ranges']): CharSet['ranges'] => {
  const rest: Array<readonly [number, number]> = []
  let from = 0
  for (const [low, high] of ranges) {
    if (from < low) rest.push([from, low - 1])
    from = high + 1
  }
  return [...rest, [from, 0x10ffff]]
}

const groupOf = (letter: string): CharSet['ranges'] | undefined => {
  const ranges = groups[letter.toLowerCase()]
  return ranges === undefined || letter === letter.toLowerCase() ? ranges : without(ranges)
}

/** The expression that BuildKit would build, without its anchors. For an exact text there is none. */
const expressionOf = (pattern: string): string => {
  const chars = Array.from(pattern)
  let text = ''
  for (let at = 0; at < chars.length; at += 1) {
    const char = chars[at] ?? ''
    if (char === '*' && chars[at + 1] === '*') {
      at += chars[at + 2] === '/' ? 2 : 1
      text += at + 1 < chars.length ? '(.*/)?' : '.*'
    } else if (char === '*') text += '[^/]*'
    else if (char === '?') text += '[^/]'
    else if ('.+()|{}$'.includes(char)) text += `\\${char}`
    else if (char === '\\') {
      at += 1
      text += `\\${chars[at] ?? ''}`
    } else text += char
  }
  return text
}

type Escaped = { readonly code: number; readonly next: number }

/** A number after `\x` or in octal, or the character itself. `at` is the index after the backslash. */
const escapedAt = (chars: ReadonlyArray<string>, at: number): Escaped | undefined => {
  const char = chars[at] ?? ''
  const control = controls[char]
  if (control !== undefined) return { code: control, next: at + 1 }
  const rest = chars.slice(at, at + 3).join('')
  const hex = /^x([0-9A-Fa-f]{2})/.exec(rest)?.[1]
  if (hex !== undefined) return { code: Number.parseInt(hex, 16), next: at + 3 }
  const octal = /^(?:0[0-7]{0,2}|[1-7][0-7]{1,2})/.exec(rest)?.[0]
  if (octal !== undefined) return { code: Number.parseInt(octal, 8), next: at + octal.length }
  return /^[^0-9A-Za-z\u0080-\u{10ffff}]$/u.test(char) ? { code: char.codePointAt(0) ?? 0, next: at + 1 } : undefined
}

const memberAt = (chars: ReadonlyArray<string>, at: number): Escaped | undefined => {
  if (chars[at] === '\\') return escapedAt(chars, at + 1)
  const code = chars[at]?.codePointAt(0)
  return code === undefined ? undefined : { code, next: at + 1 }
}

/** The class whose `[` is right before `from`. Named classes are not supported. */
const classAt = (chars: ReadonlyArray<string>, from: number): { set: CharSet; next: number } | undefined => {
  const isNegated = chars[from] === '^'
  const start = isNegated ? from + 1 : from
  const ranges: Array<readonly [number, number]> = []
  for (let at = start; ; ) {
    if (chars[at] === ']' && at > start) return { set: { isNegated, ranges }, next: at + 1 }
    if (chars[at] === '[' && chars[at + 1] === ':' && chars.join('').includes(':]', at + 2)) return undefined
    const group = chars[at] === '\\' ? groupOf(chars[at + 1] ?? '') : undefined
    if (group !== undefined) {
      for (const one of group) ranges.push(one)
      at += 2
      continue
    }
    const low = memberAt(chars, at)
    const isRange = low !== undefined && chars[low.next] === '-' && chars[low.next + 1] !== ']'
    const high = isRange ? memberAt(chars, low.next + 1) : low
    if (low === undefined || high === undefined || high.code < low.code) return undefined
    ranges.push([low.code, high.code])
    at = high.next
  }
}

const anything: CharSet = { isNegated: true, ranges: [] }
const dollar: PatternStep = { _tag: 'Char', code: 0x24 }

type Atom = { readonly steps: ReadonlyArray<PatternStep>; readonly next: number }

const one = (set: CharSet, chars: ReadonlyArray<string>, next: number): Atom =>
  chars[next] === '*' ? { steps: [{ _tag: 'Many', set }], next: next + 1 } : { steps: [{ _tag: 'One', set }], next }

const atomAt = (chars: ReadonlyArray<string>, at: number): Atom | undefined => {
  const char = chars[at] ?? ''
  switch (char) {
    case '(':
      return { steps: [{ _tag: 'Maybe' }, { _tag: 'Through' }], next: at + '(.*/)?'.length }
    case '.':
      return one(notLineFeed, chars, at + 1)
    case '^':
      return { steps: [{ _tag: 'At', edge: 'Start' }], next: at + 1 }
    case '[': {
      const found = classAt(chars, at + 1)
      return found === undefined ? undefined : one(found.set, chars, found.next)
    }
    case '\\': {
      const letter = chars[at + 1]
      // A trailing backslash escapes the expression's final dollar sign, so nothing anchors the end.
      if (letter === undefined) return { steps: [dollar, { _tag: 'Many', set: anything }], next: at + 1 }
      const edge = edges[letter]
      if (edge !== undefined) return { steps: [{ _tag: 'At', edge }], next: at + 2 }
      const ranges = groupOf(letter)
      if (ranges !== undefined) return one({ isNegated: false, ranges }, chars, at + 2)
      const found = escapedAt(chars, at + 1)
      return found === undefined ? undefined : { steps: [{ _tag: 'Char', code: found.code }], next: found.next }
    }
    default:
      return { steps: [{ _tag: 'Char', code: char.codePointAt(0) ?? 0 }], next: at + 1 }
  }
}

/** `undefined` for a pattern that BuildKit rejects. */
export const stepsOf = (pattern: string): ReadonlyArray<PatternStep> | undefined => {
  const chars = Array.from(expressionOf(pattern))
  const steps: Array<PatternStep> = []
  for (let at = 0; at < chars.length; ) {
    const atom = atomAt(chars, at)
    if (atom === undefined) return undefined
    for (const step of atom.steps) steps.push(step)
    at = atom.next
  }
  return steps
}

const isWord = (code: number): boolean => isIn({ isNegated: false, ranges: words }, code)

/** -1 stands for the start or end of the text. */
const isAt = (edge: Edge, before: number, after: number): boolean => {
  switch (edge) {
    case 'Start':
      return before < 0
    case 'End':
      return after < 0
    case 'Word':
      return isWord(before) !== isWord(after)
    case 'NoWord':
      return isWord(before) === isWord(after)
  }
}

/**
 * Advances by one character: `now` are the steps it may be at, `then` those after it. Without a character (-1) only
 * edges are followed.
 */
const advance = (
  steps: ReadonlyArray<PatternStep>,
  [now, then]: readonly [now: Uint8Array, then: Uint8Array],
  before: number,
  code: number,
): void => {
  for (let at = 0; at < steps.length; at += 1) {
    const step = steps[at]
    if (now[at] === 0 || step === undefined) continue
    switch (step._tag) {
      case 'Char':
        if (step.code === code) then[at + 1] = 1
        break
      case 'One':
        if (code >= 0 && isIn(step.set, code)) then[at + 1] = 1
        break
      case 'Many':
        now[at + 1] = 1
        if (code >= 0 && isIn(step.set, code)) then[at] = 1
        break
      case 'Maybe':
        now[at + 1] = 1
        now[at + 2] = 1
        break
      case 'Through':
        if (code >= 0 && code !== 0x0a) then[at] = 1
        if (code === SLASH) then[at + 1] = 1
        break
      case 'At':
        if (isAt(step.edge, before, code)) now[at + 1] = 1
        break
    }
  }
}

/** Whether the whole path matches, in time proportional to its length times the number of steps. */
export const fitsSteps = (steps: ReadonlyArray<PatternStep>, path: string): boolean => {
  let now = new Uint8Array(steps.length + 1)
  let then = new Uint8Array(steps.length + 1)
  now[0] = 1
  let before = -1
  for (let at = 0; at < path.length; ) {
    const code = path.codePointAt(at) ?? 0
    advance(steps, [now, then], before, code)
    const used = now
    now = then
    then = used.fill(0)
    if (!now.includes(1)) return false
    before = code
    at += code > 0xffff ? 2 : 1
  }
  advance(steps, [now, then], before, -1)
  return now[steps.length] === 1
}
