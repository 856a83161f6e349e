/** The permissions that actions need. */
import { resources } from '../cluster/resources.ts'
import { type Right, rightsOn } from '../cluster/rights.ts'
import { type ActionTarget, type Bound, fold, refOf, targetOf } from './action.ts'

const to = ({ name, resource: { group, plural } }: ActionTarget, ...verbs: ReadonlyArray<string>) =>
  rightsOn({ group, resource: plural, name }, verbs)

const listPods: Right = { group: resources.Pod.group, resource: resources.Pod.plural, verb: 'list' }

const rightsFor = fold<ReadonlyArray<Right>, Bound>({
  // An object that server-side apply creates needs both.
  Apply: ({ object, precondition }) =>
    to(targetOf(refOf(object)), ...(precondition._tag === 'Absent' ? ['create', 'patch'] : ['patch'])),
  Create: ({ target }) => to(target, 'create'),
  Delete: ({ target }) => to(target, 'delete'),
  Await: ({ ref }) => (ref.kind === 'Job' ? [] : [listPods]),
  Scale: ({ target }) => to(target, 'patch'),
  Patch: ({ target }) => to(target, 'patch'),
})

/** Each verb of each resource once, for the first object that needs it. */
export const rightsOf = (actions: ReadonlyArray<Bound>): ReadonlyArray<Right> => {
  const found = new Map<string, Right>()
  for (const right of actions.flatMap(rightsFor)) {
    const key = `${right.verb} ${right.resource}.${right.group}`
    if (!found.has(key)) found.set(key, right)
  }
  return [...found.values()]
}
