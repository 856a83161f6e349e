/** Who manages the fields that are changed for a time, and how they get them back. */
import { at, isObject, type Json, type JsonObject, listAt, textAt } from '../cluster/json.ts'
import type { ClusterObject } from '../cluster/live.ts'
import { isTemporary } from '../k8s/managers.ts'
import { defined } from '../object/defined.ts'
import type { FieldChange, FieldOwner } from './record.ts'

type FieldPath = ReadonlyArray<string>

const inFields = (path: FieldPath): FieldPath => path.map((name) => `f:${name}`)

const entriesOf = (live: ClusterObject): ReadonlyArray<Json> => listAt(live, 'metadata', 'managedFields')

const manages =
  (path: FieldPath) =>
  (entry: Json): boolean =>
    at(entry, 'fieldsV1', ...inFields(path)) !== undefined

const isOurs = (entry: Json): boolean => isTemporary(textAt(entry, 'manager') ?? '')

const ownerIn = (entry: Json): FieldOwner => ({
  manager: textAt(entry, 'manager') ?? '',
  operation: textAt(entry, 'operation') ?? '',
  apiVersion: textAt(entry, 'apiVersion') ?? '',
  ...defined({ subresource: textAt(entry, 'subresource'), time: textAt(entry, 'time') }),
})

/** Who manages the field otherwise. */
export const ownersOf = (live: ClusterObject, path: FieldPath): ReadonlyArray<FieldOwner> =>
  entriesOf(live)
    .filter((entry) => !isOurs(entry) && manages(path)(entry))
    .map(ownerIn)

export const isManagedForNow = (live: ClusterObject, path: FieldPath): boolean =>
  entriesOf(live).some((entry) => isOurs(entry) && manages(path)(entry))

const isOf =
  ({ manager, operation, subresource }: FieldOwner) =>
  (entry: Json): boolean =>
    textAt(entry, 'manager') === manager &&
    textAt(entry, 'operation') === operation &&
    textAt(entry, 'subresource') === subresource

const withField = (fields: Json | undefined, [name, ...rest]: FieldPath): JsonObject => {
  const own = isObject(fields) ? fields : {}
  return name === undefined ? own : { ...own, [name]: withField(own[name], rest) }
}

/** An owner without other fields has no entry any more, so it gets a new one. */
const given = (entries: ReadonlyArray<Json>, path: FieldPath, owner: FieldOwner): ReadonlyArray<Json> => {
  const isOwner = isOf(owner)
  const add = (entry: Json): Json =>
    isObject(entry) && isOwner(entry) ? { ...entry, fieldsV1: withField(entry['fieldsV1'], inFields(path)) } : entry
  if (entries.some(isOwner)) return entries.map(add)
  return [...entries, { ...owner, fieldsType: 'FieldsV1', fieldsV1: withField({}, inFields(path)) }]
}

/**
 * `managedFields` without `up` and sleep, and with the fields that have their old value at those who managed them;
 * `undefined` when neither manages anything.
 */
export const handedBack = (
  live: ClusterObject,
  restored: ReadonlyArray<FieldChange>,
): ReadonlyArray<Json> | undefined => {
  const entries = entriesOf(live)
  if (!entries.some(isOurs)) return undefined
  const mine = restored.filter(({ before, path }) => before !== undefined && isManagedForNow(live, path))
  const back = mine.flatMap(({ owners, path }) => owners.map((owner) => ({ path, owner })))
  const left = back.reduce<ReadonlyArray<Json>>(
    (all, { owner, path }) => given(all, path, owner),
    entries.filter((entry) => !isOurs(entry)),
  )
  // The server ignores an empty list; an empty entry says that nobody manages anything.
  return left.length === 0 ? [{}] : left
}
