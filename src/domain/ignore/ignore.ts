/** The text of a .dockerignore file. */

/** What Go considers white space: JavaScript differs for the byte order mark and U+0085. */
const SPACE = /[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/

/** Not a regular expression: one for the end of the line would try every blank inside of it, in quadratic time. */
export const trimmed = (text: string): string => {
  let [start, end] = [0, text.length]
  while (start < end && SPACE.test(text.charAt(start))) start += 1
  while (end > start && SPACE.test(text.charAt(end - 1))) end -= 1
  return text.slice(start, end)
}

/**
 * Removes empty, `.` and resolvable `..` segments, lexically; '' becomes `.`. Backslashes are kept, since they escape.
 */
export const cleanPath = (path: string): string => {
  const isRooted = path.startsWith('/')
  const kept: Array<string> = []
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue
    const last = kept.at(-1)
    if (part !== '..') kept.push(part)
    else if (last !== undefined && last !== '..') kept.pop()
    else if (!isRooted) kept.push('..')
  }
  const joined = kept.join('/')
  return isRooted ? `/${joined}` : joined === '' ? '.' : joined
}

const relative = (path: string): string => (path.length > 1 && path.startsWith('/') ? path.slice(1) : path)

const cleaned = (pattern: string): string => (pattern === '' ? '' : relative(cleanPath(pattern)))

const patternOf = (line: string): ReadonlyArray<string> => {
  if (line.startsWith('#')) return []
  const pattern = trimmed(line)
  if (pattern === '') return []
  return [pattern.startsWith('!') ? `!${cleaned(trimmed(pattern.slice(1)))}` : cleaned(pattern)]
}

/** Every path of the context is compared with every pattern that has wildcards. */
export const mostIgnorePatterns = 10_000

/** The patterns in order, as BuildKit reads them, including malformed ones; one more than are allowed at most. */
export const ignorePatterns = (text: string): ReadonlyArray<string> => {
  const found: Array<string> = []
  for (const line of text.replace(/^\ufeff/, '').split('\n')) {
    for (const pattern of patternOf(line.endsWith('\r') ? line.slice(0, -1) : line)) found.push(pattern)
    if (found.length > mostIgnorePatterns) break
  }
  return found
}
