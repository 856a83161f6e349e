/** A plan from its JSON form. Only actions that a translation creates are accepted: Apply and Await. */
import { type Action, showRef } from './action.ts'
import type { PlanJson } from './codec.ts'
import type { Plan } from './plan.ts'

export const fromPlanJson = ({ actions, environment, objects, schema }: PlanJson): Plan => {
  const byRef = new Map(objects.map((object) => [showRef({ kind: object.kind, name: object.metadata.name }), object]))
  const taken = actions.flatMap((action): ReadonlyArray<Action> => {
    const { after, id } = action
    if (action.type === 'await') {
      const { condition, ref, service } = action
      return [{ _tag: 'Await', id, after, ref, condition, service }]
    }
    const object = action.type === 'apply' ? byRef.get(showRef(action.ref)) : undefined
    return object === undefined ? [] : [{ _tag: 'Apply', id, after, object, origins: [] }]
  })
  return { schema, environment, actions: taken }
}
