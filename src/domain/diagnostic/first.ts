/** Limits findings to a readable number: hostile files have a hundred thousand of them. */
import { type Diagnostic, error, warning } from './diagnostic.ts'

const most = 1_000

/** The first ones, errors before others, in their order, and how many more there are. */
export const firstFindings = (found: ReadonlyArray<Diagnostic>): ReadonlyArray<Diagnostic> => {
  if (found.length <= most) return found
  const errors = found.filter(({ severity }) => severity === 'error')
  const kept = new Set([...errors, ...found.filter(({ severity }) => severity !== 'error')].slice(0, most))
  const make = errors.length > most ? error : warning
  const message = `${found.length - most} more findings are not listed`
  return [...found.filter((d) => kept.has(d)), make('DT1006', message, { help: 'correct the first ones' })]
}
