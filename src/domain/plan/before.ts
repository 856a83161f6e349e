/** The order of a plan, followed backwards. */
import type { Plan } from './plan.ts'

/** `ids`, and those of everything that must end before what they name can begin. */
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
