/**
 * Value → JSON, as `JSON.stringify` prints it, with a `Map` as an object in its own order. What JSON allows but
 * terminals or code hosts act on is escaped.
 */
import { replaceUnsafe } from '../text/visible.ts'
import { joinPieces, noPieces, type Pieces, put } from './pieces.ts'
import { isList, isMap, type Value } from './value.ts'

const HARMLESS = /^[ !$-[\]-~]*$/

const escaped = (char: string): string =>
  char
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')

/** JSON without line breaks, as another program wrote it: only its strings can contain such characters. */
export const inertJson = (json: string): string => replaceUnsafe(json, escaped).replace(/##(?=\[|vso\[)/g, '#\\u0023')

const showString = (text: string): string => (HARMLESS.test(text) ? `"${text}"` : inertJson(JSON.stringify(text)))

/**
 * `gap` is one level of indentation, `line` the line break with the current indentation; both '' in the compact form.
 */
const write = (out: Pieces, before: string, value: Value, gap: string, line: string): void => {
  if (typeof value === 'string') return put(out, before + showString(value))
  if (typeof value !== 'object' || value === null) return put(out, before + JSON.stringify(value))
  const inner = line + gap
  if (isList(value)) {
    let lead = `${before}[${inner}`
    for (const item of value) {
      write(out, lead, item, gap, inner)
      lead = `,${inner}`
    }
    return put(out, value.length === 0 ? `${before}[]` : `${line}]`)
  }
  const colon = gap === '' ? ':' : ': '
  let lead = `${before}{${inner}`
  let isFirst = true
  for (const [key, member] of isMap(value) ? value : Object.entries(value)) {
    if (member === undefined) continue
    write(out, `${lead}${showString(key)}${colon}`, member, gap, inner)
    lead = `,${inner}`
    isFirst = false
  }
  put(out, isFirst ? `${before}{}` : `${line}}`)
}

/** Ends with a newline. */
export const printJson = (value: Value, indent = 2): string => {
  const out = noPieces()
  write(out, '', value, ' '.repeat(indent), indent > 0 ? '\n' : '')
  put(out, '\n')
  return joinPieces(out)
}

/** One compact line, including its newline: printed one after the other, such lines are JSON Lines. */
export const printJsonLine = (value: Value): string => printJson(value, 0)
