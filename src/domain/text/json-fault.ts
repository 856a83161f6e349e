/** Finds where a text stops being valid JSON (RFC 8259): parsers report that differently, or not at all. */
import type { Fault } from './fault.ts'

const TOKEN =
  /[{}[\]:,]|"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null/y

const BLANKS = /[ \t\r\n]*/y

/** What may come next. `First…`: or the end of the object or list that has just begun. */
type ExpectedToken = 'Value' | 'FirstItem' | 'FirstKey' | 'Key' | 'Colon' | 'AfterValue'

const expected: Readonly<Record<ExpectedToken, string>> = {
  Value: 'a value',
  FirstItem: 'a value or ]',
  FirstKey: 'a name in quotes or }',
  Key: 'a name in quotes',
  Colon: 'a colon',
  AfterValue: 'a comma or the end',
}

const isName = (token: string): boolean => token.startsWith('"')

/** `open`: the enclosing objects and lists, innermost last. `undefined`: the token is not allowed here. */
const step = (next: ExpectedToken, token: string, open: Array<string>): ExpectedToken | undefined => {
  if (next === 'Colon') return token === ':' ? 'Value' : undefined
  if (next === 'Key' || (next === 'FirstKey' && token !== '}')) return isName(token) ? 'Colon' : undefined
  const inner = open.at(-1)
  if (token === '}' || token === ']') {
    const begin = token === '}' ? '{' : '['
    const first = token === '}' ? 'FirstKey' : 'FirstItem'
    if (inner !== begin || (next !== 'AfterValue' && next !== first)) return undefined
    open.pop()
    return 'AfterValue'
  }
  if (next === 'AfterValue') return token !== ',' || inner === undefined ? undefined : inner === '{' ? 'Key' : 'Value'
  if (token === ',' || token === ':') return undefined
  if (token !== '{' && token !== '[') return 'AfterValue'
  open.push(token)
  return token === '{' ? 'FirstKey' : 'FirstItem'
}

const afterBlanks = (text: string, at: number): number => {
  BLANKS.lastIndex = at
  return at + (BLANKS.exec(text)?.[0].length ?? 0)
}

/** `undefined` when the whole text is one JSON value. */
export const jsonFault = (text: string): Fault | undefined => {
  const open: Array<string> = []
  let next: ExpectedToken = 'Value'
  for (let at = afterBlanks(text, 0); at < text.length; at = afterBlanks(text, at)) {
    TOKEN.lastIndex = at
    const token = TOKEN.exec(text)?.[0]
    const reached: ExpectedToken | undefined = token === undefined ? undefined : step(next, token, open)
    if (token === undefined || reached === undefined) {
      return { message: `expected ${expected[next]}`, start: at, end: at + (token?.length ?? 1) }
    }
    next = reached
    at += token.length
  }
  if (next === 'AfterValue' && open.length === 0) return undefined
  const message = next === 'AfterValue' ? 'it ends too early' : `expected ${expected[next]}, and it ends`
  return { message, start: text.length, end: text.length }
}
