/** What a vertex printed: whole lines made of the pieces that came, and the last ones kept for the report of a failure. */
import { assemble, assembleRest, type Pending } from '../commands/lines.ts'

/** Pieces of the two streams may alternate within a line. */
export type Printed = { readonly out: Pending; readonly err: Pending; readonly tail: ReadonlyArray<string> }

export const nothingPrinted: Printed = { out: '', err: '', tail: [] }

/** Lines that the report of a failure shows. */
const mostLines = 20
const mostLength = 2000

const kept = (tail: ReadonlyArray<string>, lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  [...tail, ...lines.slice(-mostLines).map((line) => line.slice(0, mostLength))].slice(-mostLines)

/** `secrets` are masked. `lines`: those that became whole. */
export const printedAfter = (
  secrets: ReadonlyArray<string>,
  before: Printed,
  { isError, text }: { readonly isError: boolean; readonly text: string },
): { readonly printed: Printed; readonly lines: ReadonlyArray<string> } => {
  const stream = isError ? 'err' : 'out'
  const { lines, pending } = assemble(secrets, before[stream], text)
  return { printed: { ...before, [stream]: pending, tail: kept(before.tail, lines) }, lines }
}

/** What stands in lines without an end, once no more comes. */
export const printedAtEnd = (
  secrets: ReadonlyArray<string>,
  before: Printed,
): { readonly printed: Printed; readonly lines: ReadonlyArray<string> } => {
  const lines = [before.out, before.err].flatMap((pending) => assembleRest(secrets, pending))
  return { printed: { out: '', err: '', tail: kept(before.tail, lines) }, lines }
}

/** The line that is being written: half of a secret cannot be told from another text, so that beside secrets none is shown. */
export const restOf = (secrets: ReadonlyArray<string>, { err, out }: Printed): string => {
  if (secrets.length > 0) return ''
  const [rest = ''] = assembleRest(secrets, (out || err).slice(-mostLength))
  return rest
}
