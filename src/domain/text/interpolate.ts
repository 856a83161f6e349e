/**
 * Variables in values (Compose spec, "interpolation"), as compose-go reads them: a dollar sign that does not begin a
 * variable is kept, and a default that is not used may be anything.
 */
import * as E from 'fp-ts/lib/Either.js'
import { characterEnd, type Fault, fail, quote } from './fault.ts'

type Operator = ':-' | '-' | ':?' | '?' | ':+' | '+'

/** `start` and `end` delimit the whole `$NAME` or `${…}` in the text. */
type Variable = {
  readonly _tag: 'Variable'
  readonly name: string
  readonly start: number
  readonly end: number
  readonly choice?: { readonly operator: Operator; readonly operand: E.Either<Fault, Template> }
}
type TemplatePart = { readonly _tag: 'Text'; readonly text: string } | Variable
type Template = ReadonlyArray<TemplatePart>

/**
 * `brought` counts the characters that variables expanded to; beyond {@link mostBrought} the rest is left out of
 * `value`.
 */
export type Substituted = {
  readonly value: string
  readonly brought: number
  readonly unset: ReadonlyArray<Pick<Variable, 'name' | 'start' | 'end'>>
  readonly required: ReadonlyArray<Pick<Variable, 'name' | 'start' | 'end'> & { readonly message: string }>
}

const DEEPEST = 50

/** Variables that refer to each other twice double in size with each step; no legitimate text comes near this limit. */
export const mostBrought = 16 * 1024 * 1024
const OPERATORS: ReadonlyArray<Operator> = [':-', ':?', ':+', '-', '?', '+']

const readTemplate = (text: string): E.Either<Fault, Template> => {
  if (text === '') return E.right([])
  if (!text.includes('$')) return E.right([{ _tag: 'Text', text }])
  return readParts(text, 0, text.length, 0)
}

/** The text from `to` on is empty or begins with the brace that closes a variable, so no name extends beyond it. */
const readParts = (text: string, from: number, to: number, depth: number): E.Either<Fault, Template> => {
  const parts: Array<TemplatePart> = []
  let [literal, kept, at] = ['', from, from]
  for (;;) {
    at = text.indexOf('$', at)
    if (at < 0 || at >= to) break
    const next = text[at + 1]
    if (next === '$') {
      literal += text.slice(kept, at + 1)
      at += 2
      kept = at
      continue
    }
    const name = nameAt(text, at + 1)
    if (next !== '{' && name === '') {
      at += 1
      continue
    }
    const bare: Variable = { _tag: 'Variable', name, start: at, end: at + 1 + name.length }
    const variable = next === '{' ? readBraced(text, at, to, depth + 1) : E.right(bare)
    if (variable._tag === 'Left') return variable
    literal += text.slice(kept, at)
    if (literal !== '') parts.push({ _tag: 'Text', text: literal })
    parts.push(variable.right)
    literal = ''
    at = variable.right.end
    kept = at
  }
  literal += text.slice(kept, to)
  if (literal !== '') parts.push({ _tag: 'Text', text: literal })
  return E.right(parts)
}

/**
 * Where the variable that opens at `brace` closes, by the rule of compose-go: inner braces are balanced, but the
 * character after an opening one is not examined; if they never balance, the last closing brace counts.
 */
const closingBrace = (text: string, brace: number, to: number): number | undefined => {
  let open = 0
  for (let at = brace; at < to; at += 1) {
    const char = text[at]
    if (char === '{') {
      open += 1
      at += 1
    } else if (char === '}') {
      open -= 1
      if (open === 0) return at
    }
  }
  const last = text.lastIndexOf('}', to - 1)
  return last > brace ? last : undefined
}

const readBraced = (text: string, start: number, to: number, depth: number): E.Either<Fault, Variable> => {
  if (depth > DEEPEST) return fail(`variables are nested more than ${DEEPEST} deep`, start, start + 2)
  const name = nameAt(text, start + 2)
  const after = start + 2 + name.length
  if (after >= to) return fail('"${" is not closed', start, to)
  if (text[after] === '}') {
    if (name === '') return fail('the name of the variable is missing', start, after + 1)
    return E.right({ _tag: 'Variable', name, start, end: after + 1 })
  }
  const operator = OPERATORS.find((symbol) => text.startsWith(symbol, after))
  if (operator === undefined || name === '') {
    const end = characterEnd(text, after)
    const where = name === '' ? 'where the name of a variable begins' : `after the variable name ${quote(name)}`
    return fail(`unexpected character ${quote(text.slice(after, end))} ${where}`, after, end)
  }
  const from = after + operator.length
  const close = closingBrace(text, start + 1, to)
  if (close === undefined || close < from) return fail('"${" is not closed', start, to)
  const operand = readParts(text, from, close, depth)
  return E.right({ _tag: 'Variable', name, start, end: close + 1, choice: { operator, operand } })
}

const nameAt = (text: string, at: number): string => {
  const name = /[A-Za-z_][A-Za-z0-9_]*/y
  name.lastIndex = at
  return name.exec(text)?.[0] ?? ''
}

/**
 * Lazy: a default that is not used is not examined. `unset`: the variables without a value and without an operator,
 * each once; `required`: the failed `?`. The value of a variable is never expanded again.
 */
export const expandVariables = (
  text: string,
  lookup: (name: string) => string | undefined,
): E.Either<Fault, Substituted> => {
  const unset = new Map<string, Substituted['unset'][number]>()
  const required: Array<Substituted['required'][number]> = []
  const faults: Array<Fault> = []
  let brought = 0
  const bring = (value: string): string => {
    brought += value.length
    return brought > mostBrought ? '' : value
  }
  const show = E.matchW(
    (fault: Fault) => {
      faults.push(fault)
      return ''
    },
    (parts: Template): string => parts.map((part) => (part._tag === 'Text' ? part.text : valueOf(part))).join(''),
  )
  const valueOf = ({ name, start, end, choice }: Variable): string => {
    const found = lookup(name)
    if (choice === undefined) {
      if (found === undefined && !unset.has(name)) unset.set(name, { name, start, end })
      return bring(found ?? '')
    }
    const isPresent = found !== undefined && !(found === '' && choice.operator.startsWith(':'))
    if (choice.operator.endsWith('+')) return isPresent ? show(choice.operand) : ''
    if (isPresent) return bring(found)
    if (choice.operator.endsWith('-')) return show(choice.operand)
    required.push({ name, message: show(choice.operand), start, end })
    return ''
  }
  const value = show(readTemplate(text))
  const [fault] = faults
  return fault === undefined ? E.right({ value, brought, unset: [...unset.values()], required }) : E.left(fault)
}
