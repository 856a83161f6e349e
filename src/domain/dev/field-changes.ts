/** Fields of objects that are changed while a workload is developed. */
import { at, isObject, type Json, type JsonObject } from '../cluster/json.ts'
import type { ClusterObject } from '../cluster/live.ts'
import type { ObjectKey } from '../cluster/resources.ts'
import { isSameJson } from '../cluster/same-json.ts'
import { defined } from '../object/defined.ts'
import { ownersOf } from './managed-fields.ts'
import type { FieldChange, Touched } from './record.ts'

/** The server orders the names of a mapping anew. */
const isSame = (a: Json | undefined, b: Json | undefined): boolean =>
  a === undefined || b === undefined ? a === b : isSameJson(a, b)

/** The change of a field to another value; none when it has that value already. */
export const changeOf = (
  live: ClusterObject,
  path: ReadonlyArray<string>,
  during: Json,
): ReadonlyArray<FieldChange> => {
  const before = at(live, ...path)
  return isSame(before, during) ? [] : [{ path, during, owners: ownersOf(live, path), ...defined({ before }) }]
}

/** An object without changes is left out. */
export const touchedBy = (
  { metadata: { uid } }: ClusterObject,
  { name, resource }: Pick<ObjectKey, 'name' | 'resource'>,
  changes: ReadonlyArray<FieldChange>,
): ReadonlyArray<Touched> => (changes.length === 0 ? [] : [{ resource, name, uid, changes }])

const keyOf = ({ name, resource: { group, kind }, uid }: Touched): string => `${group}/${kind}/${name}/${uid}`

const pathOf = ({ path }: FieldChange): string => JSON.stringify(path)

/**
 * A field that somebody else has changed since then (`fresh`) gets that value back later, not the one recorded first.
 */
export const refreshed = (touched: ReadonlyArray<Touched>, fresh: ReadonlyArray<Touched>): ReadonlyArray<Touched> => {
  const found = new Map(
    fresh.flatMap((one) => one.changes.map((change) => [`${keyOf(one)} ${pathOf(change)}`, change] as const)),
  )
  const known = new Set(touched.flatMap((one) => one.changes.map((change) => `${keyOf(one)} ${pathOf(change)}`)))
  const isNew = (one: Touched) => (change: FieldChange) => !known.has(`${keyOf(one)} ${pathOf(change)}`)
  return [
    ...touched.map((one) => ({
      ...one,
      changes: one.changes.map((change) => found.get(`${keyOf(one)} ${pathOf(change)}`) ?? change),
    })),
    ...fresh.flatMap((one) => {
      const changes = one.changes.filter(isNew(one))
      return changes.length === 0 ? [] : [{ ...one, changes }]
    }),
  ]
}

/** A merge patch that turns one value into the other; `undefined` is a field that is not set. */
export const mergeOf = (from: Json | undefined, to: Json | undefined): Json => {
  if (to === undefined) return null
  if (!isObject(from) || !isObject(to)) return to
  const names = [...new Set([...Object.keys(from), ...Object.keys(to)])].filter((name) => !isSame(from[name], to[name]))
  return Object.fromEntries(names.map((name) => [name, mergeOf(from[name], to[name])]))
}

const bodyAt = ([name, ...rest]: ReadonlyArray<string>, value: Json): Json =>
  name === undefined ? value : { [name]: bodyAt(rest, value) }

const merged = (a: Json, b: Json): Json =>
  isObject(a) && isObject(b)
    ? {
        ...a,
        ...Object.fromEntries(
          Object.entries(b).map(([name, value = null]) => [name, name in a ? merged(a[name] ?? null, value) : value]),
        ),
      }
    : b

/** A merge patch that gives each field its value; `undefined` when each has it. */
export const patchTo = (
  live: ClusterObject,
  wanted: ReadonlyArray<{ readonly path: ReadonlyArray<string>; readonly value: Json | undefined }>,
): JsonObject | undefined => {
  const bodies = wanted
    .filter(({ path, value }) => !isSame(at(live, ...path), value))
    .map(({ path, value }) => bodyAt(path, mergeOf(at(live, ...path), value)))
  const body = bodies.reduce<Json>(merged, {})
  return bodies.length > 0 && isObject(body) ? body : undefined
}

/** Whether the field has the value for the time of development. */
export const isInEffect = (live: ClusterObject, { during, path }: FieldChange): boolean =>
  isSame(at(live, ...path), during)

/** Whether the field has its original value. */
export const isBack = (live: ClusterObject, { before, path }: FieldChange): boolean => isSame(at(live, ...path), before)
