/** Patterns of a `.stignore` file, as Syncthing defines them. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { CharSet } from './glob.ts'
import { type PatternStep, stepsOf } from './pattern-program.ts'

/**
 * `isFolded`: letters are compared in lower case. `prefix`: what every match starts with; undefined when that may be
 * anything.
 */
export type StRule = {
  readonly steps: ReadonlyArray<PatternStep>
  readonly isNegated: boolean
  readonly isFolded: boolean
  readonly prefix: string | undefined
}

const notSlash: CharSet = { isNegated: true, ranges: [[0x2f, 0x2f]] }
const anything: CharSet = { isNegated: true, ranges: [] }

/** Where the class that starts at `at` ends. */
const classEnd = (chars: ReadonlyArray<string>, at: number): number => {
  for (let end = at + 2; end < chars.length; end += 1) if (chars[end] === ']' && chars[end - 1] !== '\\') return end
  return -1
}

const stepsIn = (pattern: string): ReadonlyArray<PatternStep> | undefined => {
  const chars = Array.from(pattern)
  const steps: Array<PatternStep> = []
  for (let at = 0; at < chars.length; at += 1) {
    const char = chars[at] ?? ''
    if (char === '*') {
      const isAny = chars[at + 1] === '*'
      steps.push({ _tag: 'Many', set: isAny ? anything : notSlash })
      if (isAny) at += 1
    } else if (char === '?') steps.push({ _tag: 'One', set: notSlash })
    else if (char === '[') {
      const end = classEnd(chars, at)
      const text = chars
        .slice(at, end + 1)
        .join('')
        .replace('[!', '[^')
      const [step] = end < 0 ? [] : (stepsOf(text) ?? [])
      if (step === undefined) return undefined
      steps.push(step)
      at = end
    } else {
      if (char === '\\') at += 1
      const code = chars[at]?.codePointAt(0)
      if (code === undefined) return undefined
      steps.push({ _tag: 'Char', code })
    }
  }
  return steps
}

const mostAlternatives = 256

/** `{a,b}` is either of them. Left: too many, or without an end. */
const alternatives = (pattern: string): E.Either<string, ReadonlyArray<string>> => {
  let found: ReadonlyArray<string> = ['']
  let group: Array<string> | undefined
  for (let at = 0; at < pattern.length; at += 1) {
    const isEscaped = pattern[at] === '\\'
    const text = pattern.slice(at, isEscaped ? at + 2 : at + 1)
    if (isEscaped) at += 1
    if (text === '{' && group === undefined) group = ['']
    else if (text === '}' && group !== undefined) {
      const ends: ReadonlyArray<string> = group
      found = found.flatMap((start) => ends.map((end) => start + end))
      group = undefined
    } else if (text === ',' && group !== undefined) group.push('')
    else if (group !== undefined) group[group.length - 1] += text
    else found = found.map((start) => start + text)
    if (found.length > mostAlternatives) return E.left(pattern)
  }
  return group === undefined ? E.right(found) : E.left(pattern)
}

/** The names before the first one with a wildcard. */
const prefixOf = (pattern: string): string => {
  const plain = pattern.slice(0, Math.max(0, pattern.search(/[*?[\\{]|$/)))
  return plain === pattern ? plain : plain.slice(0, Math.max(0, plain.lastIndexOf('/')))
}

type Prefixes = { readonly text: string; readonly isNegated: boolean; readonly isFolded: boolean }

const withoutPrefixes = (line: string): Prefixes => {
  let [text, isNegated, isFolded] = [line, false, false]
  for (;;) {
    if (text.startsWith('!') && !isNegated) [text, isNegated] = [text.slice(1), true]
    else if (text.startsWith('(?i)')) [text, isFolded] = [text.slice(4), true]
    // `(?d)` has no effect: ignored files are never deleted, even where they keep a folder from being removed.
    else if (text.startsWith('(?d)')) text = text.slice(4)
    else return { text, isNegated, isFolded }
  }
}

/** Undefined: one of the patterns is not understood. */
const rulesOf = (pattern: string, { isFolded, isNegated }: Prefixes): ReadonlyArray<StRule> | undefined => {
  const isRooted = pattern.startsWith('/')
  const path = isRooted ? pattern.slice(1) : pattern.startsWith('**/') ? pattern.slice(3) : pattern
  const prefix = isRooted && !isFolded ? prefixOf(path) : undefined
  const rules: Array<StRule> = []
  for (const top of isRooted ? [path] : [path, `**/${path}`]) {
    const all = top.endsWith('/**') ? [top] : top.endsWith('/') ? [`${top}**`] : [top, `${top}/**`]
    for (const one of all) {
      const steps = stepsIn(one)
      if (steps === undefined) return undefined
      rules.push({ steps, isNegated, isFolded, prefix })
    }
  }
  return rules
}

/** All rules of one line: the first that matches decides. Left: the line is not understood. */
export const stRulesOf = (line: string): E.Either<string, ReadonlyArray<StRule>> => {
  const prefixes = withoutPrefixes(line)
  const { isFolded, text } = prefixes
  return pipe(
    text === '' ? E.left(line) : alternatives(isFolded ? text.toLowerCase() : text),
    E.flatMap(E.traverseArray((pattern) => pipe(rulesOf(pattern, prefixes), E.fromNullable(line)))),
    E.map((found) => found.flat()),
  )
}
