/** Limits findings to a readable number: hostile files have a hundred thousand of them. */
import { type Diagnostic, error, warning } from './diagnostic.ts'

export const mostListed = 1_000
/** How many are sorted and merged, which costs more than finding them. */
const mostConsidered = 10 * mostListed

/** So many findings, errors before others, in their order. */
const foremost = (found: ReadonlyArray<Diagnostic>, most: number): ReadonlyArray<Diagnostic> => {
  if (found.length <= most) return found
  const isError = ({ severity }: Diagnostic): boolean => severity === 'error'
  const kept = new Set([...found.filter(isError), ...found.filter((d) => !isError(d))].slice(0, most))
  return found.filter((d) => kept.has(d))
}

/** The first findings as `arrange` orders and merges them, and how many more there are. */
export const firstFindings = (
  found: ReadonlyArray<Diagnostic>,
  arrange: (found: ReadonlyArray<Diagnostic>) => ReadonlyArray<Diagnostic>,
): ReadonlyArray<Diagnostic> => {
  const considered = foremost(found, mostConsidered)
  const arranged = arrange(considered)
  const first = foremost(arranged, mostListed)
  const left = found.length - considered.length + arranged.length - first.length
  if (left === 0) return first
  const isOfErrors = first.every(({ severity }) => severity === 'error')
  const message = `${left} more findings are not listed`
  return [...first, (isOfErrors ? error : warning)('DT1006', message, { help: 'correct the first ones' })]
}
