/**
 * Lists of patterns that select paths, as BuildKit matches them: a pattern that matches a folder matches everything
 * below it, the last matching pattern wins, and `!` excludes. Paths are relative, clean and with forward slashes.
 */
import * as E from 'fp-ts/lib/Either.js'
import { globMatch } from './glob.ts'
import { cleanPath, trimmed } from './ignore.ts'
import { fitsSteps, type PatternStep, stepsOf } from './pattern-program.ts'

type Test =
  | { readonly _tag: 'Exact' }
  | { readonly _tag: 'Prefix'; readonly prefix: string }
  | { readonly _tag: 'Suffix'; readonly suffix: string }
  | { readonly _tag: 'Steps'; readonly steps: ReadonlyArray<PatternStep> }

type Rule = { readonly text: string; readonly isException: boolean; readonly test: Test }

/** Where patterns of one kind may match, if all of them are plain; otherwise anywhere. */
type Reach = { readonly isPlain: boolean; readonly folders: ReadonlySet<string> }

/** Positions of patterns, in ascending order. */
type Positions = ReadonlyArray<number>

export type Patterns = {
  readonly exceptions: ReadonlyArray<boolean>
  /** The patterns that match the path itself. */
  readonly matching: (path: string) => Positions
  readonly chosen: Reach
  readonly takenBack: Reach
}

/** `matched`: to be passed on for what is in the folder. */
export type PatternVerdict = { readonly isMatch: boolean; readonly matched: Positions }

const none: Positions = []
const nothing: PatternVerdict = { isMatch: false, matched: none }

/** `**` at the end, or at the start followed by plain text, and texts without special characters need no expression. */
const testOf = (text: string): Test | undefined => {
  if (!/[*?[\]\\]/.test(text)) return { _tag: 'Exact' }
  const start = /^\*\*\/?([^*?[\]\\]*)$/.exec(text)
  if (start !== null) return { _tag: 'Suffix', suffix: text.slice(2) }
  const end = /^([^*?[\]\\]+)\*\*$/.exec(text)
  if (end?.[1] !== undefined) return { _tag: 'Prefix', prefix: end[1] }
  const steps = stepsOf(text)
  return steps === undefined ? undefined : { _tag: 'Steps', steps }
}

/** No path is longer (PATH_MAX of Linux), and what a pattern may select in folders takes the square of its length. */
const longestPattern = 4096

const ruleOf = (pattern: string): E.Either<string, Rule> => {
  if (pattern.length > longestPattern) return E.left(pattern)
  const clean = cleanPath(pattern)
  const isException = clean.startsWith('!')
  const text = isException ? clean.slice(1) : clean
  const test = text === '' || globMatch(text, '.') === undefined ? undefined : testOf(text)
  return test === undefined ? E.left(pattern) : E.right({ text, isException, test })
}

/** Texts by length: a path is cut to each of these lengths and looked up. */
type ByLength = Map<number, Map<string, Array<number>>>

const put = (map: Map<string, Array<number>>, key: string, position: number): void => {
  const there = map.get(key)
  if (there === undefined) map.set(key, [position])
  else there.push(position)
}

const putByLength = (map: ByLength, key: string, position: number): void => {
  const there = map.get(key.length) ?? new Map<string, Array<number>>()
  put(there, key, position)
  map.set(key.length, there)
}

const isChar = (step: PatternStep | undefined, char?: string): boolean =>
  step?._tag === 'Char' && (char === undefined || step.code === char.codePointAt(0))

const literal = (steps: ReadonlyArray<PatternStep>): string =>
  steps.map((step) => (step._tag === 'Char' ? String.fromCodePoint(step.code) : '')).join('')

/** The longest segment that every match contains: between two slashes, or between a slash and an end. */
const segmentIn = (steps: ReadonlyArray<PatternStep>): string => {
  let longest = ''
  let from: number | undefined = 0
  for (let at = 0; at <= steps.length; at += 1) {
    const step = steps[at]
    if (step === undefined || isChar(step, '/')) {
      const found = from === undefined ? '' : literal(steps.slice(from, at))
      if (found.length > longest.length) longest = found
      from = at + 1
    } else if (step._tag === 'Through' && from === at - 1) from = at + 1
    else if (step._tag !== 'Maybe' && !isChar(step)) from = undefined
    else if (step._tag === 'Maybe' && from !== at) from = undefined
  }
  return longest
}

const firstOther = (steps: ReadonlyArray<PatternStep>): number => steps.findIndex((step) => !isChar(step))
const lastOther = (steps: ReadonlyArray<PatternStep>): number => steps.findLastIndex((step) => !isChar(step))

/** Every path that the pattern matches contains one of these keys; the longest one is used. */
const keyOf = (steps: ReadonlyArray<PatternStep>): readonly [kind: 'Segment' | 'Prefix' | 'Suffix', key: string] => {
  const prefix = literal(steps.slice(0, Math.max(0, firstOther(steps))))
  const suffix = literal(steps.slice(lastOther(steps) + 1))
  const segment = segmentIn(steps)
  if (segment.length >= prefix.length && segment.length >= suffix.length) return ['Segment', segment]
  return prefix.length > suffix.length ? ['Prefix', prefix] : ['Suffix', suffix]
}

/** For patterns like `*x*`: a text that the path has to contain. */
const anywhereIn = (steps: ReadonlyArray<PatternStep>): string => {
  let longest = ''
  let from = 0
  for (let at = 0; at <= steps.length; at += 1) {
    if (isChar(steps[at])) continue
    const found = literal(steps.slice(from, at))
    if (found.length > longest.length) longest = found
    from = at + 1
  }
  return longest
}

const inOrder = (positions: Array<number>): Positions => {
  if (positions.length < 2) return positions
  positions.sort((a, b) => a - b)
  return positions.filter((position, index) => position !== positions[index - 1])
}

/** Finds the few patterns that could match, instead of trying all of them. */
const indexOf = (rules: ReadonlyArray<Rule>): ((path: string) => Positions) => {
  const exact = new Map<string, Array<number>>()
  const prefixes: ByLength = new Map()
  const suffixes: ByLength = new Map()
  const segments = new Map<string, Array<number>>()
  const others: Array<{ readonly position: number; readonly part: string }> = []
  const programs = new Map<number, ReadonlyArray<PatternStep>>()
  rules.forEach(({ text, test }, position) => {
    if (test._tag === 'Exact') put(exact, text, position)
    else if (test._tag === 'Prefix') putByLength(prefixes, test.prefix, position)
    else if (test._tag === 'Suffix') putByLength(suffixes, test.suffix, position)
    else {
      programs.set(position, test.steps)
      const [kind, key] = keyOf(test.steps)
      if (key === '') others.push({ position, part: anywhereIn(test.steps) })
      else if (kind === 'Segment') put(segments, key, position)
      else putByLength(kind === 'Prefix' ? prefixes : suffixes, key, position)
    }
  })
  return (path) => {
    const found: Array<number> = []
    const add = (positions: Positions | undefined): void => {
      if (positions === undefined) return
      for (const position of positions) {
        const steps = programs.get(position)
        if (steps === undefined || fitsSteps(steps, path)) found.push(position)
      }
    }
    add(exact.get(path))
    for (const [length, texts] of prefixes) if (length <= path.length) add(texts.get(path.slice(0, length)))
    if (suffixes.size > 0) {
      // `**/x` also matches x at the top.
      const slashed = `/${path}`
      for (const [length, texts] of suffixes)
        if (length <= slashed.length) add(texts.get(slashed.slice(slashed.length - length)))
    }
    if (segments.size > 0) for (const segment of path.split('/')) add(segments.get(segment))
    for (const { position, part } of others) if (path.includes(part)) add([position])
    return found.length === 0 ? none : inOrder(found)
  }
}

const withoutGlob = (text: string): string => text.replace(/\/\*\*$/, '').replace(/\/\*$/, '')

const reachOf = (rules: ReadonlyArray<Rule>): Reach => {
  const folders = new Set<string>()
  const texts = rules.map(({ text }) => withoutGlob(text))
  for (const text of texts) {
    for (let at = text.indexOf('/'); at >= 0; at = text.indexOf('/', at + 1)) folders.add(text.slice(0, at))
    folders.add(text)
  }
  return { isPlain: !texts.some((text) => /[*[\]?^\\]/.test(text)), folders }
}

/** Left: the pattern that is malformed or too long. Empty patterns are ignored. */
export const compilePatterns = (patterns: ReadonlyArray<string>): E.Either<string, Patterns> => {
  const rules: Array<Rule> = []
  for (const pattern of patterns) {
    const text = trimmed(pattern)
    if (text === '') continue
    const rule = ruleOf(text)
    if (E.isLeft(rule)) return rule
    rules.push(rule.right)
  }
  return E.right({
    exceptions: rules.map(({ isException }) => isException),
    matching: indexOf(rules),
    chosen: reachOf(rules.filter(({ isException }) => !isException)),
    takenBack: reachOf(rules.filter(({ isException }) => isException)),
  })
}

/**
 * Whether a path is selected. `above` is what its folder matched (`[]` at the top). A pattern counts only when it would
 * change the result of those before it, so what a folder matched depends on their order.
 */
export const matchBelow = ({ exceptions, matching }: Patterns, path: string, above: Positions): PatternVerdict => {
  const own = matching(path)
  if (own.length === 0 && above.length === 0) return nothing
  const matched: Array<number> = []
  let isMatch = false
  for (let a = 0, o = 0; a < above.length || o < own.length; ) {
    const position = Math.min(above[a] ?? Number.POSITIVE_INFINITY, own[o] ?? Number.POSITIVE_INFINITY)
    const isInherited = above[a] === position
    if (isInherited) a += 1
    if (own[o] === position) o += 1
    const isException = exceptions[position] === true
    if (!isInherited && isException !== isMatch) continue
    matched.push(position)
    isMatch = !isException
  }
  return { isMatch, matched }
}

const reaches = ({ isPlain, folders }: Reach, folder: string): boolean => !isPlain || folders.has(folder)

/** Whether a folder that is not selected may contain something that is. */
export const mayChooseIn = ({ chosen }: Patterns, folder: string): boolean => reaches(chosen, folder)

/** Whether a folder that is selected may contain something that is not. */
export const mayTakeBackIn = ({ takenBack }: Patterns, folder: string): boolean => reaches(takenBack, folder)
