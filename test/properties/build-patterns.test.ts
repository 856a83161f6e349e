/** Lists of patterns, against the plain reading of the rules: one pattern after the other, one folder after the other. */
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { cleanPath, ignorePatterns } from '../../src/domain/ignore/ignore.ts'
import {
  compilePatterns,
  matchBelow,
  mayChooseIn,
  mayTakeBackIn,
  type Patterns,
} from '../../src/domain/ignore/patterns.ts'

const part = fc.constantFrom('a', 'b', 'ab', 'c', '/', '/', '*', '**', '**/', '?', '[ab]', '[^a]', '\\*', 'é', '.')
const plain = fc.array(part, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(''))
const pattern = fc.tuple(fc.boolean(), plain).map(([isException, text]) => (isException ? `!${text}` : text))
const segment = fc.array(fc.constantFrom('a', 'b', 'c', 'é', '.', '*', '\n', '\u{1f600}'), {
  minLength: 1,
  maxLength: 3,
})
const path = fc
  .array(segment, { minLength: 1, maxLength: 4 })
  .map((segments) => segments.map((chars) => `x${chars.join('')}`.slice(1)).join('/'))
  .filter((text) => cleanPath(text) === text && !text.startsWith('..'))

const compiled = (patterns: ReadonlyArray<string>): Patterns | undefined => {
  const result = compilePatterns(patterns)
  return E.isLeft(result) ? undefined : result.right
}

const prefixes = (text: string): ReadonlyArray<string> =>
  text.split('/').map((_, index, parts) => parts.slice(0, index + 1).join('/'))

const isChosen = (patterns: Patterns, text: string): boolean => {
  let above: ReadonlyArray<number> = []
  let isMatch = false
  for (const prefix of prefixes(text)) ({ matched: above, isMatch } = matchBelow(patterns, prefix, above))
  return isMatch
}

type Rule = { readonly isException: boolean; readonly matches: (text: string) => boolean }

const ruleOf = (text: string): Rule | undefined => {
  const clean = cleanPath(text)
  const isException = clean.startsWith('!')
  const positive = isException ? clean.slice(1) : clean
  // Behind the exclamation mark a path stays as it is.
  const alone = cleanPath(positive) === positive ? compiled([positive]) : undefined
  if (alone === undefined || alone.exceptions.length !== 1 || alone.exceptions[0] === true) return undefined
  return { isException, matches: (prefix) => alone.matching(prefix).length > 0 }
}

/** Every pattern is asked for every folder; a pattern that a folder matched matches what is in it. */
const isChosenPlainly = (rules: ReadonlyArray<Rule>, text: string): boolean => {
  let above = rules.map(() => false)
  let isMatch = false
  for (const prefix of prefixes(text)) {
    isMatch = false
    above = rules.map(({ isException, matches }, index) => {
      const isHit = above[index] === true || (isException === isMatch && matches(prefix))
      if (isHit) isMatch = !isException
      return isHit
    })
  }
  return isMatch
}

test('looking up patterns gives the same as trying each of them', () =>
  fc.assert(
    fc.property(
      fc.array(pattern, { minLength: 1, maxLength: 8 }),
      fc.array(path, { minLength: 1, maxLength: 5 }),
      (texts, paths) => {
        const patterns = compiled(texts)
        const rules = texts.map(ruleOf)
        fc.pre(patterns !== undefined && rules.every((rule) => rule !== undefined))
        const known = rules.flatMap((rule) => rule ?? [])
        for (const text of paths) assert.is(isChosen(patterns, text), isChosenPlainly(known, text), text)
      },
    ),
  ))

test('without exceptions everything in a matched folder matches; with them, folders without matches are known', () =>
  fc.assert(
    fc.property(fc.array(pattern, { minLength: 1, maxLength: 6 }), path, (texts, text) => {
      const patterns = compiled(texts)
      fc.pre(patterns !== undefined)
      const verdicts = prefixes(text).map((prefix) => ({ prefix, isMatch: isChosen(patterns, prefix) }))
      verdicts.slice(1).forEach(({ isMatch }, index) => {
        const above = verdicts[index]
        if (above === undefined || above.isMatch === isMatch) return
        assert.ok(isMatch ? mayChooseIn(patterns, above.prefix) : mayTakeBackIn(patterns, above.prefix))
      })
    }),
  ))

test('any text is read as patterns or refused', () =>
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary', minLength: 1 }), (text, name) => {
      const patterns = compiled(ignorePatterns(text))
      if (patterns !== undefined) assert.type(isChosen(patterns, name), 'boolean')
    }),
  ))

test('a pattern without wildcards matches its path and everything below', () =>
  fc.assert(
    fc.property(path, (text) => {
      fc.pre(text.trim() === text)
      const patterns = compiled([text.replaceAll(/[*?[\]\\]/g, '\\$&').replace(/^!/, '\\!')])
      assert.ok(patterns !== undefined && isChosen(patterns, text) && isChosen(patterns, `${text}/x`))
    }),
  ))

test.run()
