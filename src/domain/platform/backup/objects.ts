/** The objects of a backup: their order, and what is left out because every namespace has it. */
import { type Json, type JsonObject, textAt } from '../../cluster/json.ts'
import { type ObjectKey, resources } from '../../cluster/resources.ts'
import { isSameJson } from '../../cluster/same-json.ts'
import { defined } from '../../object/defined.ts'
import { SYSTEM_NAMESPACE, USERS_NAMESPACE } from '../names.ts'
import { templateOf } from '../namespace/objects.ts'
import { keptOf } from './kept.ts'

/** The kinds in a backup, in the order of their creation: nobody gets access to a namespace before its limits exist. */
const keptKinds = [
  ...(['Namespace', 'ServiceAccount', 'ResourceQuota', 'LimitRange', 'NetworkPolicy'] as const),
  ...(['RoleBinding', 'Secret'] as const),
]

export type KeptObject = { readonly key: ObjectKey; readonly object: JsonObject }

/** `undefined` for other kinds. */
export const keyIn = (object: JsonObject): ObjectKey | undefined => {
  const kind = keptKinds.find((one) => one === object['kind'])
  const [name, namespace] = [textAt(object, 'metadata', 'name'), textAt(object, 'metadata', 'namespace')]
  return kind === undefined || name === undefined
    ? undefined
    : { resource: resources[kind], name, ...defined({ namespace }) }
}

/** `undefined` for objects that are not the platform's. */
export const kept = (json: Json): KeptObject | undefined => {
  const object = keptOf(json)
  const key = object && keyIn(object)
  return object && key && { key, object }
}

/** The namespace that the object is, or that it is in. */
const placeOf = ({ key: { name, namespace } }: Pick<KeptObject, 'key'>): string => namespace ?? name

const ownPlaces: ReadonlyArray<string> = [USERS_NAMESPACE, SYSTEM_NAMESPACE]

/** Whether the object is in one of the platform's own namespaces, or belongs to one of `tenants`. */
export const isWithin = (tenants: ReadonlySet<string>, one: Pick<KeptObject, 'key'>): boolean =>
  ownPlaces.includes(placeOf(one)) || tenants.has(placeOf(one))

export const idOf = ({ key: { name, namespace = '', resource } }: Pick<KeptObject, 'key'>): string =>
  `${resource.kind} ${namespace} ${name}`

const kindRank = ({ key: { resource } }: KeptObject): number => keptKinds.findIndex((kind) => kind === resource.kind)

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const placeRank = (one: KeptObject): number => (ownPlaces.includes(placeOf(one)) ? ownPlaces.indexOf(placeOf(one)) : 2)

/** Users first, then objects for all namespaces, then each namespace. */
export const inOrder = (objects: ReadonlyArray<KeptObject>): ReadonlyArray<KeptObject> =>
  objects.toSorted(
    (a, b) =>
      placeRank(a) - placeRank(b) ||
      compare(placeOf(a), placeOf(b)) ||
      kindRank(a) - kindRank(b) ||
      compare(a.key.name, b.key.name),
  )

const usualIn = (namespace: string): ReadonlyArray<KeptObject> =>
  templateOf(namespace).flatMap(({ object }) => kept(object) ?? [])

export const tenantsIn = (objects: ReadonlyArray<KeptObject>): ReadonlyArray<string> =>
  objects.flatMap(({ key: { name, resource } }) => (resource.kind === 'Namespace' ? [name] : []))

/** Without the objects that every new namespace has. */
export const withoutUsual = (objects: ReadonlyArray<KeptObject>): ReadonlyArray<KeptObject> => {
  const usual = new Map(tenantsIn(objects).flatMap((name) => usualIn(name).map((one) => [idOf(one), one] as const)))
  return objects.filter((one) => {
    const made = usual.get(idOf(one))
    return made === undefined || !isSameJson(made.object, one.object)
  })
}

/** Law: adding the usual objects to a list without them restores the list. */
export const withUsual = (objects: ReadonlyArray<KeptObject>): ReadonlyArray<KeptObject> => {
  const own = new Set(objects.map(idOf))
  const usual = tenantsIn(objects).flatMap(usualIn)
  return inOrder([...objects, ...usual.filter((one) => !own.has(idOf(one)))])
}
