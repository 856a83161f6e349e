/** From the result of a use case to its output. */

import type { Result } from '../../app/result.ts'
import { filesTaken } from '../../domain/compose/choose.ts'
import type { Outcome } from '../outcome.ts'

export type RenderedView = Pick<Outcome, 'output' | 'said' | 'isInOutput' | 'deployed'>

/** The files that were read are named before the rest of the output. */
export const viewed = <A extends object>(
  { chosen, value, ...result }: Result<A>,
  view: (value: A) => RenderedView,
): Outcome => {
  const shown = value === undefined ? {} : view(value)
  return { ...result, ...shown, said: [...filesTaken(chosen), ...(shown.said ?? [])] }
}
