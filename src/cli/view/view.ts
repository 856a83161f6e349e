/** From what a use case answers to what is printed. */

import type { Result } from '../../app/result.ts'
import type { Outcome } from '../outcome.ts'

/** What a view makes of a value; what is said comes after what the use case says. */
export type RenderedView = Pick<Outcome, 'output' | 'said' | 'isShown'>

export const viewed = <A>({ value, ...result }: Result<A>, view: (value: A) => RenderedView): Outcome => {
  if (value === undefined) return result
  const shown = view(value)
  const said = [...(result.said ?? []), ...(shown.said ?? [])]
  return { ...result, ...shown, said }
}
