/**
 * The output of a vertex: whole lines assembled from the pieces that arrived, and the last ones for the failure report.
 */
import { assemble, assembleRest, type Pending } from '../commands/lines.ts'

/** Pieces of the two streams may be interleaved within a line. */
export type Printed = { readonly out: Pending; readonly err: Pending; readonly tail: ReadonlyArray<string> }

export const nothingPrinted: Printed = { out: '', err: '', tail: [] }

/** How many lines the failure report shows. */
const mostLines = 20
const mostLength = 2000

const kept = (tail: ReadonlyArray<string>, lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  [...tail, ...lines.slice(-mostLines).map((line) => line.slice(0, mostLength))].slice(-mostLines)

/** `secrets` are masked. `lines`: those that are complete now. */
export const printedAfter = (
  secrets: ReadonlyArray<string>,
  before: Printed,
  { isError, text }: { readonly isError: boolean; readonly text: string },
): { readonly printed: Printed; readonly lines: ReadonlyArray<string> } => {
  const stream = isError ? 'err' : 'out'
  const { lines, pending } = assemble(secrets, before[stream], text)
  return { printed: { ...before, [stream]: pending, tail: kept(before.tail, lines) }, lines }
}

/** What is left in incomplete lines when the output has ended. */
export const printedAtEnd = (
  secrets: ReadonlyArray<string>,
  before: Printed,
): { readonly printed: Printed; readonly lines: ReadonlyArray<string> } => {
  const lines = [before.out, before.err].flatMap((pending) => assembleRest(secrets, pending))
  return { printed: { out: '', err: '', tail: kept(before.tail, lines) }, lines }
}

/** The incomplete line. With secrets it is not shown, since half of a secret cannot be recognised. */
export const restOf = (secrets: ReadonlyArray<string>, { err, out }: Printed): string => {
  if (secrets.length > 0) return ''
  const [rest = ''] = assembleRest(secrets, (out || err).slice(-mostLength))
  return rest
}
