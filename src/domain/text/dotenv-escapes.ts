/** Escapes inside double quotes of a dotenv file, as in compose-go; anything else is left as it is. */

const LETTERS: ReadonlyMap<string, string> = new Map([
  ['a', '\u0007'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['v', '\v'],
  ['"', '"'],
  ['\\', '\\'],
  ['0', '\\'],
])

/** XSI octal escapes (`\0123`) are bytes; adjacent ones are decoded together, as UTF-8. */
const decodeOctal = (escapes: string): string => {
  const bytes = escapes.split('\\0').slice(1)
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  return decoder.decode(Uint8Array.from(bytes, (digits) => Number.parseInt(digits, 8)))
}

/** The result is still a template: an escaped dollar sign becomes `$$`. */
export const unescapeDoubleQuoted = (body: string): string =>
  body.includes('\\')
    ? body.replace(/(?:\\0[0-3][0-7]{2})+|\\([0abfnrtv$"\\])/g, (match, letter: string | undefined) => {
        if (letter === undefined) return decodeOctal(match).replaceAll('$', '$$$$')
        return letter === '$' ? '$$' : (LETTERS.get(letter) ?? match)
      })
    : body
