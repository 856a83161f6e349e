/** Follows the order of a plan backwards. */
import type { Plan } from './plan.ts'

/** `ids`, and those of all actions that must end before these can begin. */
export const withAllBefore = ({ actions }: Plan, ids: ReadonlyArray<string>): ReadonlySet<string> => {
  const known = new Map(actions.map((action) => [action.id, action]))
  const found = new Set<string>()
  const next = [...ids]
  for (let id = next.pop(); id !== undefined; id = next.pop()) {
    if (found.has(id)) continue
    found.add(id)
    for (const one of known.get(id)?.after ?? []) next.push(one)
  }
  return found
}
