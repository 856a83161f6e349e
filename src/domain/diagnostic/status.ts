/** The exit status for a list of findings. Each published code has one. */
import type { Diagnostic } from './diagnostic.ts'
import { statuses } from './statuses.ts'

/** The published part of a code. `text` is the long explanation. */
export type CodeTable = Readonly<
  Record<string, { readonly status: number; readonly title: string; readonly text: string }>
>

/** An unpublished code is an internal error. */
const DEFECT = 70

/** A code of status 0 is never an error by itself: `--strict` made it one. */
const STRICT = 3

/** The status of the first error's code; 0 without errors. With an error it is never 0, whatever the code. */
export const exitStatus = (found: ReadonlyArray<Diagnostic>, table: typeof statuses = statuses): number => {
  const first = found.find((d) => d.severity === 'error')
  if (first === undefined) return 0
  const known = Object.hasOwn(table, first.code) ? table[first.code] : undefined
  return known === undefined ? DEFECT : known.status || STRICT
}
