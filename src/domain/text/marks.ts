/**
 * ASCII for devtool's own marks, where the locale is not one of UTF-8. Each is replaced by one character, so that columns
 * stay what they are; other characters are the user's, and stay.
 */

const [marks, ascii] = ['·▸✓✗…→', '.>+x~>']

type Environment = Readonly<Record<string, string | undefined>>

/**
 * According to the POSIX locale: the first variable that is set decides. Without any, texts are UTF-8, as on most
 * systems.
 */
export const isUnicode = (env: Environment): boolean =>
  /utf-?8/i.test(env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || 'UTF-8')

/** For text that people read. Data is the same in every locale. */
export const marksFor = (env: Environment): ((text: string) => string) =>
  isUnicode(env) ? (text) => text : (text) => text.replace(/[^\0-~]/g, (mark) => ascii[marks.indexOf(mark)] ?? mark)
