/** ASCII replacements for the marks in devtool's texts, for terminals without Unicode. */

const ascii: ReadonlyMap<string, string> = new Map([
  ['·', '.'],
  ['▸', '>'],
  ['✓', '+'],
  ['✗', 'x'],
  ['…', '~'],
])

/**
 * According to the POSIX locale: the first variable that is set decides. Without any, texts are UTF-8, as on most
 * systems.
 */
const isUnicode = (env: Readonly<Record<string, string | undefined>>): boolean => {
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || 'UTF-8'
  return /utf-?8/i.test(locale)
}

/** Replaces marks by ASCII characters of the same width where the locale is not one of UTF-8. */
export const marksFor = (env: Readonly<Record<string, string | undefined>>): ((text: string) => string) =>
  isUnicode(env) ? (text) => text : (text) => Array.from(text, (mark) => ascii.get(mark) ?? mark).join('')
