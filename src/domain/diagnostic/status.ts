/** The exit status that findings mean. Each published code has one. */
import type { Diagnostic } from './diagnostic.ts'
import { statuses } from './statuses.ts'

/** What is published of a code. `text` explains it at length. */
export type CodeTable = Readonly<
  Record<string, { readonly status: number; readonly title: string; readonly text: string }>
>

/** A code that nobody published is a defect of ours. */
const DEFECT = 70

/** The status of the first error's code; 0 without errors. An error never ends in 0, whatever its code. */
export const exitStatus = (found: ReadonlyArray<Diagnostic>, table: typeof statuses = statuses): number => {
  const first = found.find((d) => d.severity === 'error')
  if (first === undefined) return 0
  return (Object.hasOwn(table, first.code) ? table[first.code]?.status : undefined) || DEFECT
}
