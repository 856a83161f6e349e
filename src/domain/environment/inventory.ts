/** What an environment is made of, as its record lists it. */
import type { ClusterObject, Observed } from '../cluster/live.ts'
import { type KnownKind, resources } from '../cluster/resources.ts'
import type { KubeObject } from '../k8s/types.ts'
import { type ActionTarget, partition } from '../plan/action.ts'
import type { Plan } from '../plan/plan.ts'
import type { InventoryEntry } from './record.ts'

/** `uid` is '' for what is about to be made. */
const entryOf = (kind: KubeObject['kind'] & KnownKind, name: string, uid: string): InventoryEntry => {
  const { group, plural, version } = resources[kind]
  return { group, version, plural, kind, name, uid }
}

/** All objects of the plan, before any is made. */
export const plannedEntries = ({ actions }: Plan): ReadonlyArray<InventoryEntry> =>
  partition(actions).Apply.map(({ object: { kind, metadata } }) => entryOf(kind, metadata.name, ''))

export const entryFor = ({ kind, metadata: { name } }: KubeObject, live: ClusterObject): InventoryEntry =>
  entryOf(kind, name, live.metadata.uid)

const keyOf = ({ group, kind, name }: InventoryEntry): string => `${group}/${kind}/${name}`

/**
 * The same without what `previous` had and was no longer there when it was looked, unless it was made since. Of kinds that
 * were not looked for nothing is known.
 */
export const withoutGone = (
  inventory: ReadonlyArray<InventoryEntry>,
  previous: ReadonlyArray<InventoryEntry>,
  observed: Observed,
  made: ReadonlyArray<InventoryEntry>,
): ReadonlyArray<InventoryEntry> => {
  const [kept, old] = [new Set(made.map(keyOf)), new Set(previous.map(({ uid }) => uid))]
  return inventory.filter((entry) => {
    const seen = entry.namespace === undefined ? observed.get(entry.kind) : undefined
    return seen === undefined || seen.has(entry.name) || kept.has(keyOf(entry)) || !old.has(entry.uid)
  })
}

/** The same without what was deleted. */
export const withoutDeleted = (
  inventory: ReadonlyArray<InventoryEntry>,
  deleted: ReadonlyArray<ActionTarget>,
): ReadonlyArray<InventoryEntry> => {
  const gone = new Set(deleted.map(({ name, resource: { group, kind } }) => `${group}/${kind}/${name}`))
  return inventory.filter((entry) => !gone.has(keyOf(entry)))
}
