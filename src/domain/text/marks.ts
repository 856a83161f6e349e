/** Marks of devtool's own texts, for terminals that show no Unicode. */

const ascii: ReadonlyMap<string, string> = new Map([
  ['·', '.'],
  ['▸', '>'],
  ['✓', '+'],
  ['✗', 'x'],
  ['…', '~'],
])

/** The locale of POSIX: the first variable that is set decides. Without any, texts are UTF-8 as on most systems. */
const isUnicode = (env: Readonly<Record<string, string | undefined>>): boolean => {
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || 'UTF-8'
  return /utf-?8/i.test(locale)
}

/** Replaces marks by ASCII characters of the same width where the locale is not one of UTF-8. */
export const marksFor = (env: Readonly<Record<string, string | undefined>>): ((text: string) => string) =>
  isUnicode(env) ? (text) => text : (text) => Array.from(text, (mark) => ascii.get(mark) ?? mark).join('')
