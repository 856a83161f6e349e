/**
 * Variables in values (Compose spec, "interpolation"): a text is parsed into a template once, then substituted. A
 * dollar sign that does not begin a variable is kept, as in compose-go.
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
  readonly choice?: { readonly operator: Operator; readonly operand: Template }
}
type Part = { readonly _tag: 'Text'; readonly text: string } | Variable
export type Template = ReadonlyArray<Part>

/**
 * `brought` counts the characters that variables expanded to; beyond {@link mostBrought} the rest is left out of
 * `value`.
 */
export type Substituted = {
  readonly value: string
  readonly brought: number
  readonly unset: ReadonlyArray<string>
  readonly required: ReadonlyArray<{
    readonly name: string
    readonly message: string
    readonly start: number
    readonly end: number
  }>
}

const DEEPEST = 50

/** Variables that refer to each other twice double in size with each step; no legitimate text comes near this limit. */
export const mostBrought = 16 * 1024 * 1024
const OPERATORS: ReadonlyArray<Operator> = [':-', ':?', ':+', '-', '?', '+']

export const readTemplate = (text: string): E.Either<Fault, Template> => {
  if (text === '') return E.right([])
  if (!text.includes('$')) return E.right([{ _tag: 'Text', text }])
  return E.map(({ read }: Reading<Template>) => read)(readParts(text, 0, 0))
}

type Reading<A> = { readonly read: A; readonly next: number }

/** Inside braces (`depth` > 0) reading stops before the closing brace; braces within the text are balanced. */
const readParts = (text: string, from: number, depth: number): E.Either<Fault, Reading<Template>> => {
  const parts: Array<Part> = []
  let [literal, kept, at, braces] = ['', from, from, 0]
  const special = depth > 0 ? /[${}]/g : /\$/g
  for (;;) {
    special.lastIndex = at
    at = special.exec(text)?.index ?? text.length
    const [char, next] = [text[at], text[at + 1]]
    if (char === undefined || (char === '}' && braces === 0)) break
    if (char === '$' && next === '$') {
      literal += text.slice(kept, at + 1)
      at += 2
      kept = at
      continue
    }
    const name = char === '$' ? nameAt(text, at + 1) : ''
    if (char === '$' && (next === '{' || name !== '')) {
      const bare: Variable = { _tag: 'Variable', name, start: at, end: at + 1 + name.length }
      const variable = next === '{' ? readBraced(text, at, depth + 1) : E.right(bare)
      if (variable._tag === 'Left') return variable
      literal += text.slice(kept, at)
      if (literal !== '') parts.push({ _tag: 'Text', text: literal })
      parts.push(variable.right)
      literal = ''
      at = variable.right.end
      kept = at
      continue
    }
    if (char !== '$') braces += char === '{' ? 1 : -1
    at += 1
  }
  literal += text.slice(kept, at)
  if (literal !== '') parts.push({ _tag: 'Text', text: literal })
  return E.right({ read: parts, next: at })
}

const readBraced = (text: string, start: number, depth: number): E.Either<Fault, Variable> => {
  if (depth > DEEPEST) return fail(`variables are nested more than ${DEEPEST} deep`, start, start + 2)
  const name = nameAt(text, start + 2)
  const after = start + 2 + name.length
  const unclosed = fail('"${" is not closed', start, text.length)
  if (after === text.length) return unclosed
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
  const operand = readParts(text, after + operator.length, depth)
  if (operand._tag === 'Left') return operand
  const { read, next } = operand.right
  if (next === text.length) return unclosed
  return E.right({ _tag: 'Variable', name, start, end: next + 1, choice: { operator, operand: read } })
}

const nameAt = (text: string, at: number): string => {
  const name = /[A-Za-z_][A-Za-z0-9_]*/y
  name.lastIndex = at
  return name.exec(text)?.[0] ?? ''
}

/**
 * Lazy: a default that is not used is not examined. `unset`: the names of variables without a value and without an
 * operator, each once; `required`: the failed `?`. The value of a variable is never expanded again.
 */
export const substitute = (template: Template, lookup: (name: string) => string | undefined): Substituted => {
  const unset = new Set<string>()
  const required: Array<Substituted['required'][number]> = []
  let brought = 0
  const bring = (text: string): string => {
    brought += text.length
    return brought > mostBrought ? '' : text
  }
  const show = (parts: Template): string =>
    parts.map((part) => (part._tag === 'Text' ? part.text : valueOf(part))).join('')
  const valueOf = ({ name, start, end, choice }: Variable): string => {
    const found = lookup(name)
    if (choice === undefined) {
      if (found === undefined) unset.add(name)
      return bring(found ?? '')
    }
    const isPresent = found !== undefined && !(found === '' && choice.operator.startsWith(':'))
    if (choice.operator.endsWith('+')) return isPresent ? show(choice.operand) : ''
    if (isPresent) return bring(found)
    if (choice.operator.endsWith('-')) return show(choice.operand)
    required.push({ name, message: show(choice.operand), start, end })
    return ''
  }
  const value = show(template)
  return { value, brought, unset: [...unset], required }
}
