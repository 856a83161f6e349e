/** Objects and what is to be waited for → a plan. */

import { applyId, awaitId } from '../plan/ids.ts'
import type { Action, Plan } from '../plan/plan.ts'
import { placeOf } from '../text/source.ts'
import type { Item } from './objects.ts'

const actionOf = (item: Item): Action => {
  if (item._tag === 'Object') {
    const { ref, after, object, origins } = item
    return { _tag: 'Apply', id: applyId(ref), after, object, origins }
  }
  const { name, ref, condition, at } = item
  return { _tag: 'Await', id: awaitId(name, condition), after: [applyId(ref)], ref, condition, at: placeOf(at) }
}

export const buildPlan = (environment: string, items: ReadonlyArray<Item>): Plan => ({
  schema: 1,
  environment,
  actions: items.map(actionOf),
})
