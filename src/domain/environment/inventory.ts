/** The objects of an environment, as its record lists them. */
import type { ClusterObject, Observed } from '../cluster/live.ts'
import { type KnownKind, resources } from '../cluster/resources.ts'
import type { KubeObject } from '../k8s/types.ts'
import { type ActionTarget, partition } from '../plan/action.ts'
import type { Plan } from '../plan/plan.ts'
import type { InventoryEntry } from './record.ts'

/** `uid` is '' for an object that is yet to be created. */
const entryOf = (kind: KubeObject['kind'] & KnownKind, name: string, uid: string): InventoryEntry => {
  const { group, plural, version } = resources[kind]
  return { group, version, plural, kind, name, uid }
}

/** All objects of the plan, before any of them is created. */
export const plannedEntries = ({ actions }: Plan): ReadonlyArray<InventoryEntry> =>
  partition(actions).Apply.map(({ object: { kind, metadata } }) => entryOf(kind, metadata.name, ''))

export const entryFor = ({ kind, metadata: { name } }: KubeObject, live: ClusterObject): InventoryEntry =>
  entryOf(kind, name, live.metadata.uid)

const keyOf = ({ group, kind, name }: InventoryEntry): string => `${group}/${kind}/${name}`

/**
 * Without entries of `previous` whose object did not exist when the cluster was observed, unless it was created since.
 * Kinds that were not listed are kept.
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

export const withoutDeleted = (
  inventory: ReadonlyArray<InventoryEntry>,
  deleted: ReadonlyArray<ActionTarget>,
): ReadonlyArray<InventoryEntry> => {
  const gone = new Set(deleted.map(({ name, resource: { group, kind } }) => `${group}/${kind}/${name}`))
  return inventory.filter((entry) => !gone.has(keyOf(entry)))
}

/** Without the objects of the plan, whether they were there before or not. */
export const withoutPlanned = (inventory: ReadonlyArray<InventoryEntry>, plan: Plan): ReadonlyArray<InventoryEntry> => {
  const planned = new Set(plannedEntries(plan).map(keyOf))
  return inventory.filter((entry) => !planned.has(keyOf(entry)))
}
