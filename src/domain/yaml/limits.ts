/** Limits for files, so that hostile input is rejected before it costs anything. */
import { type Diagnostic, error } from '../diagnostic/diagnostic.ts'
import type { Source } from '../text/source.ts'

/**
 * `tokens` limits what the parser may produce, checked before parsing; `expanded` limits the values that aliases expand
 * to, so that a few lines of nested aliases cannot become millions of values; `values`, `bytes` and
 * `services` are those of a project.
 */
export const limits = {
  characters: 16 * 1024 * 1024,
  tokens: 1_000_000,
  depth: 100,
  expanded: 1_000_000,
  values: 1_000_000,
  bytes: 64 * 1024 * 1024,
  services: 20_000,
} as const

export const tooLarge = (source: Source, what: string, start = 0, end = start): Diagnostic =>
  error('DT1006', `the file is too large for a Compose file: ${what}`, {
    at: { source, start, end },
    help: 'split it with include, or check that this is the file you meant',
  })

/** Counts ends of lines that are not empty, and separators: an upper bound for the number of values. */
const tokenCount = (text: string, assignment: number): number => {
  let [count, before] = [0, 10]
  for (let i = 0; i < text.length; i += 1) {
    const c = text.charCodeAt(i)
    // \n , [ {
    if (c === 10 ? before !== 10 : c === 44 || c === assignment || c === 91 || c === 123) count += 1
    before = c
  }
  return count
}

/** DT1006 for a text that is too large to parse. `assignment` is what stands between a name and its value. */
export const sizeFault = (source: Source, assignment: ':' | '=' = ':'): Diagnostic | undefined => {
  const { text } = source
  if (text.length > limits.characters) return tooLarge(source, `more than ${limits.characters / 1024 / 1024} MiB`)
  const hasTooMany = text.length > limits.tokens && tokenCount(text, assignment.charCodeAt(0)) > limits.tokens
  return hasTooMany ? tooLarge(source, `more than ${limits.tokens} values`) : undefined
}
