/** Field ownership in server-side apply and in other writes. */
import * as E from 'fp-ts/lib/Either.js'
import type { RefusalCause } from '../../src/domain/cluster/failure.ts'
import { at, isObject, type Json, type JsonObject, textAt } from '../../src/domain/cluster/json.ts'
import { fieldsV1, leavesOf, type Path, pathId, pathsIn, showPath, valueAt, withoutValue, withValue } from './fields.ts'

type Operation = 'Apply' | 'Update'

/** `paths` by their id. */
type Manager = {
  readonly name: string
  readonly operation: Operation
  readonly apiVersion: string
  readonly paths: ReadonlyMap<string, Path>
}

export type Owners = ReadonlyArray<Manager>

export type Owned = { readonly object: JsonObject; readonly owners: Owners }

/** Names and versions have no manager. */
const unmanaged: ReadonlySet<string> = new Set([
  'name',
  'namespace',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'managedFields',
])

/** The part of an object that can be managed. */
const managedPart = ({ apiVersion: _version, kind: _kind, metadata, ...rest }: JsonObject): JsonObject => {
  const own = isObject(metadata) ? Object.entries(metadata).filter(([name]) => !unmanaged.has(name)) : []
  return { ...rest, ...(own.length === 0 ? {} : { metadata: Object.fromEntries(own) }) }
}

const same = (a: Json | undefined, b: Json | undefined): boolean => JSON.stringify(a) === JSON.stringify(b)

/** Applying an empty mapping does not conflict with fields that others have in it. */
const holds = (object: JsonObject, path: Path, value: Json): boolean => {
  const now = valueAt(object, path)
  return same(now, value) || (isObject(value) && Object.keys(value).length === 0 && isObject(now))
}

const without = (owners: Owners, ids: ReadonlySet<string>, but: (manager: Manager) => boolean): Owners =>
  owners
    .map((manager) =>
      but(manager) ? manager : { ...manager, paths: new Map([...manager.paths].filter(([id]) => !ids.has(id))) },
    )
    .filter(({ paths }) => paths.size > 0)

const isManager =
  (name: string, operation: Operation) =>
  (manager: Manager): boolean =>
    manager.name === name && manager.operation === operation

/** Fields of others with a different value, including fields below or above. */
const conflictsOf = (
  owned: Owned,
  leaves: ReturnType<typeof leavesOf>,
  name: string,
): ReadonlyArray<RefusalCause & { readonly id: string }> =>
  leaves.flatMap(({ path, value }) => {
    const id = pathId(path)
    if (holds(owned.object, path, value)) return []
    return owned.owners
      .filter((manager) => !isManager(name, 'Apply')(manager) && manager.paths.has(id))
      .map(({ apiVersion, name: other, operation }) => ({
        id,
        reason: 'FieldManagerConflict',
        message: `conflict with "${other}"${operation === 'Update' ? ` using ${apiVersion}` : ''}`,
        field: showPath(path),
      }))
  })

type Applied = { readonly name: string; readonly isForced: boolean; readonly apiVersion: string }

const asObject = (json: Json | undefined): JsonObject => (isObject(json) ? json : {})

/** Left: conflicts. */
export const applyOwned = (
  owned: Owned,
  body: JsonObject,
  { apiVersion, isForced, name }: Applied,
): E.Either<ReadonlyArray<RefusalCause>, Owned> => {
  const leaves = leavesOf(managedPart(body))
  const conflicts = conflictsOf(owned, leaves, name)
  if (conflicts.length > 0 && !isForced) return E.left(conflicts.map(({ id: _id, ...cause }) => cause))
  const mine = new Map(leaves.map(({ path }) => [pathId(path), path]))
  const isMe = isManager(name, 'Apply')
  const others = without(
    owned.owners.filter((manager) => !isMe(manager)),
    new Set(conflicts.map(({ id }) => id)),
    () => false,
  )
  const before = owned.owners.find(isMe)?.paths ?? new Map<string, Path>()
  const left = [...before].filter(([id]) => !mine.has(id) && !others.some(({ paths }) => paths.has(id)))
  const set = leaves.reduce(
    (object, { path, value }) => (holds(object, path, value) ? object : asObject(withValue(object, path, value))),
    owned.object,
  )
  const object = left.reduce((rest, [, path]) => asObject(withoutValue(rest, path)), set)
  return E.right({ object, owners: [...others, { name, operation: 'Apply', apiVersion, paths: mine }] })
}

/** Any other write takes over the fields it changed from all other managers. */
export const updateOwned = (owned: Owned, next: JsonObject, name: string, apiVersion: string): Owners => {
  const leaves = leavesOf(managedPart(next))
  const kept = new Set(leaves.map(({ path }) => pathId(path)))
  const changed = leaves.filter(({ path, value }) => !same(valueAt(owned.object, path), value))
  const ids = new Map(changed.map(({ path }) => [pathId(path), path]))
  const isMe = isManager(name, 'Update')
  const gone = new Set(owned.owners.flatMap(({ paths }) => [...paths.keys()].filter((id) => !kept.has(id))))
  const others = without(
    without(owned.owners, gone, () => false),
    new Set(ids.keys()),
    isMe,
  )
  const mine = others.find(isMe)?.paths ?? new Map<string, Path>()
  const paths = new Map([...mine, ...ids])
  const rest = others.filter((manager) => !isMe(manager))
  return paths.size === 0 ? rest : [...rest, { name, operation: 'Update', apiVersion, paths }]
}

export const managedFields = (owners: Owners): ReadonlyArray<JsonObject> =>
  owners.map(({ apiVersion, name, operation, paths }) => ({
    manager: name,
    operation,
    apiVersion,
    fieldsType: 'FieldsV1',
    fieldsV1: fieldsV1([...paths.values()]),
  }))

/** Managers as a writer names them in `managedFields`. */
export const ownersIn = (entries: ReadonlyArray<Json>): Owners =>
  entries
    .map((entry) => ({
      name: textAt(entry, 'manager') ?? '',
      operation: textAt(entry, 'operation') === 'Apply' ? ('Apply' as const) : ('Update' as const),
      apiVersion: textAt(entry, 'apiVersion') ?? '',
      paths: new Map(pathsIn(at(entry, 'fieldsV1')).map((path) => [pathId(path), path])),
    }))
    .filter(({ name }) => name !== '')
