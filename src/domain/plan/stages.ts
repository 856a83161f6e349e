/** The earliest stage in which each action can begin: actions of one stage depend only on earlier stages. */
import type { Action } from './action.ts'
import type { Plan } from './plan.ts'

/** Longest path, in linear time. Actions in a cycle never begin; they come last. */
export const stagesOf = ({ actions }: Plan): ReadonlyArray<ReadonlyArray<Action>> => {
  const known = new Map(actions.map((action) => [action.id, action]))
  const open = new Map(actions.map(({ id, after }) => [id, after.filter((other) => known.has(other)).length]))
  const waiting = new Map<string, Array<string>>()
  for (const { id, after } of actions) {
    for (const other of after) {
      const others = waiting.get(other)
      if (others === undefined) waiting.set(other, [id])
      else others.push(id)
    }
  }
  const stage = new Map<string, number>()
  let ready = actions.filter(({ id }) => open.get(id) === 0).map(({ id }) => id)
  let number = 0
  for (; ready.length > 0; number += 1) {
    const next: Array<string> = []
    for (const id of ready) {
      stage.set(id, number)
      for (const other of waiting.get(id) ?? []) {
        const left = (open.get(other) ?? 0) - 1
        open.set(other, left)
        if (left === 0) next.push(other)
      }
    }
    ready = next
  }
  const stages: Array<Array<Action>> = []
  for (const action of actions) {
    const at = stage.get(action.id) ?? number
    while (stages.length <= at) stages.push([])
    stages[at]?.push(action)
  }
  return stages
}
