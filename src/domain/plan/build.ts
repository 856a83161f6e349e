/** Objects and what is to be waited for → a plan. */
import type { Item } from '../k8s/objects.ts'
import { placeOf } from '../source.ts'
import { applyId, awaitId } from './ids.ts'
import type { Action, Plan } from './plan.ts'

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
