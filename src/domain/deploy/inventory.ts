/** What an environment is made of, as its record lists it. */
import type { Live } from '../cluster/live.ts'
import { type KnownKind, resources } from '../cluster/resources.ts'
import type { Entry } from '../environment/record.ts'
import type { KubeObject } from '../k8s/types.ts'
import type { Plan } from '../plan/plan.ts'

/** `uid` is '' for what is about to be made. */
const entryOf = (kind: KubeObject['kind'] & KnownKind, name: string, uid: string): Entry => {
  const { group, plural, version } = resources[kind]
  return { group, version, plural, kind, name, uid }
}

/** All objects of the plan, before any is made. */
export const plannedEntries = ({ actions }: Plan): ReadonlyArray<Entry> =>
  actions.flatMap((action) =>
    action._tag === 'Apply' ? [entryOf(action.object.kind, action.object.metadata.name, '')] : [],
  )

export const entryFor = ({ kind, metadata: { name } }: KubeObject, live: Live): Entry =>
  entryOf(kind, name, live.metadata.uid)

/** The same without what was deleted. */
export const withoutDeleted = (
  inventory: ReadonlyArray<Entry>,
  deleted: ReadonlyArray<{ readonly kind: string; readonly name: string }>,
): ReadonlyArray<Entry> => {
  const gone = new Set(deleted.map(({ kind, name }) => `${kind}/${name}`))
  return inventory.filter(({ kind, name }) => !gone.has(`${kind}/${name}`))
}
