/** From what a use case answers to what is printed. */

import type { Result } from '../../app/result.ts'
import { filesTaken } from '../../domain/compose/choose.ts'
import type { Outcome } from '../outcome.ts'

export type RenderedView = Pick<Outcome, 'output' | 'said' | 'isShown'>

/** Which files were read comes before what the view says. */
export const viewed = <A extends object>(
  { chosen, value, ...result }: Result<A>,
  view: (value: A) => RenderedView,
): Outcome => {
  const shown = value === undefined ? {} : view(value)
  return { ...result, ...shown, said: [...filesTaken(chosen), ...(shown.said ?? [])] }
}
