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

/** Timed out (6) and interrupted (130): these decide wherever they are reported, since the causes come before them. */
const early: ReadonlySet<number> = new Set([6, 130])

/** The status of the first error's code; 0 without errors. With an error it is never 0, whatever the code. */
export const exitStatus = (found: ReadonlyArray<Diagnostic>, table: typeof statuses = statuses): number => {
  const all = found.flatMap(({ code, severity }) => {
    if (severity !== 'error') return []
    const known = Object.hasOwn(table, code) ? table[code] : undefined
    return [known === undefined ? DEFECT : known.status || STRICT]
  })
  return all.find((status) => early.has(status)) ?? all[0] ?? 0
}
