/**
 * Whether applying an object again would change nothing, so that it need not be sent. As long as our manager still owns
 * a field, nobody has changed it since we last applied it. In case of doubt the object is sent.
 */
import { at, isObject, type Json, type JsonObject, listAt, parsedJson, textAt } from '../cluster/json.ts'
import type { ClusterObject } from '../cluster/live.ts'
import { isList as isItems, isMap, type Value } from '../print/value.ts'
import { readQuantity } from '../text/quantity.ts'

const isList = (json: Json | undefined): json is ReadonlyArray<Json> => Array.isArray(json)

/** The fields that `manager` applied, in the notation of the API (`f:spec`, `k:{"name":"web"}`, `v:"a"`). */
const appliedFields = (live: ClusterObject, manager: string, apiVersion: string | undefined): Json | undefined => {
  const [entry, ...more] = listAt(live, 'metadata', 'managedFields').filter(
    (one) =>
      textAt(one, 'manager') === manager &&
      textAt(one, 'operation') === 'Apply' &&
      textAt(one, 'subresource') === undefined,
  )
  return more.length === 0 && textAt(entry, 'apiVersion') === apiVersion ? at(entry, 'fieldsV1') : undefined
}

/** Fields that identify an object, which nobody manages. */
const identity: ReadonlySet<string> = new Set(['name', 'namespace', 'uid'])

const managedPart = ({ apiVersion: _version, kind: _kind, metadata, ...rest }: JsonObject): JsonObject => {
  const own = isObject(metadata) ? Object.entries(metadata).filter(([name]) => !identity.has(name)) : []
  return own.length === 0 ? rest : { ...rest, metadata: Object.fromEntries(own) }
}

/** From the innermost member outwards: a list would be copied for every member. */
type Path = { readonly name: string; readonly owner?: Path }

const below = (owner: Path | undefined, name: string): Path => (owner === undefined ? { name } : { name, owner })

/** `resources.limits.cpu`, `emptyDir.sizeLimit`: the server writes quantities in its own way. */
const isQuantity = ({ name, owner: group }: Path): boolean =>
  (group?.owner?.name === 'resources' && ['limits', 'requests'].includes(group.name)) ||
  (group?.name === 'emptyDir' && name === 'sizeLimit')

const sameQuantity = (a: string, b: string): boolean => {
  const [first, second] = [readQuantity(a), readQuantity(b)]
  return first._tag === 'Right' && second._tag === 'Right' && first.right === second.right
}

const isZero = (json: Json): boolean =>
  json === '' ||
  json === 0 ||
  json === false ||
  (typeof json === 'object' && json !== null && Object.keys(json).length === 0)

/** Defaults that the server adds to claim templates, which are replaced as a whole. */
const claimDefaults: ReadonlyMap<string, string> = new Map([
  ['apiVersion', '"v1"'],
  ['kind', '"PersistentVolumeClaim"'],
  ['volumeMode', '"Filesystem"'],
  ['status', '{"phase":"Pending"}'],
  ['creationTimestamp', 'null'],
])

const isInClaimTemplates = ({ name, owner }: Path): boolean =>
  owner !== undefined && (owner.owner === undefined ? name === 'volumeClaimTemplates' : isInClaimTemplates(owner))

const isDefault = (path: Path, name: string, value: Json | undefined): boolean =>
  isInClaimTemplates(path) && claimDefaults.get(name) === JSON.stringify(value)

/** A value that is replaced as a whole. The server leaves out zero values. */
const isSame = (path: Path, body: Json, live: Json | undefined): boolean => {
  if (live === undefined) return isZero(body)
  if (isList(body))
    return isList(live) && body.length === live.length && body.every((item, index) => isSame(path, item, live[index]))
  if (isObject(body))
    return (
      isObject(live) &&
      Object.entries(live).every(([name, value]) => Object.hasOwn(body, name) || isDefault(path, name, value)) &&
      Object.entries(body).every(([name, value = null]) => isSame(below(path, name), value, live[name]))
    )
  if (body === live) return body !== null
  return typeof body === 'string' && typeof live === 'string' && isQuantity(path) && sameQuantity(body, live)
}

/** The server sets the protocol of a port that has none. */
const valueOf = (item: JsonObject, key: string): Json | undefined =>
  item[key] ?? (key === 'protocol' ? 'TCP' : undefined)

/** Whether a step of the fields (`k:{"name":"web"}`, `v:"a"`) leads to an item of a list. */
const leadsTo = (step: string): ((item: Json) => boolean) => {
  const wanted = parsedJson(step.slice(2))
  if (step.startsWith('v:')) return (item) => item === wanted
  if (!step.startsWith('k:') || !isObject(wanted)) return () => false
  const keys = Object.keys(wanted)
  return (item) => isObject(item) && keys.every((key) => valueOf(item, key) === wanted[key])
}

/** Where the only item is; -1 if there is none, or more than one. */
const placeOf = (items: ReadonlyArray<Json>, isItem: (item: Json) => boolean): number => {
  const first = items.findIndex(isItem)
  return items.findLastIndex(isItem) === first ? first : -1
}

/** Each step of the fields leads to one item on both sides, in the same order. */
const isListHeld = (
  path: Path | undefined,
  fields: JsonObject,
  steps: ReadonlyArray<string>,
  body: ReadonlyArray<Json>,
  live: ReadonlyArray<Json>,
): boolean => {
  if (steps.length !== body.length) return false
  const places = steps
    .map((step) => {
      const isItem = leadsTo(step)
      return { step, own: placeOf(body, isItem), there: placeOf(live, isItem) }
    })
    .toSorted((a, b) => a.own - b.own)
  return places.every(
    ({ own, step, there }, index) =>
      own === index &&
      there > (places[index - 1]?.there ?? -1) &&
      isHeld(path, fields[step], body[own] ?? null, live[there]),
  )
}

const isHeld = (path: Path | undefined, fields: Json | undefined, body: Json, live: Json | undefined): boolean => {
  if (!isObject(fields)) return false
  const steps = Object.keys(fields).filter((step) => step !== '.')
  if (steps.length === 0) return path !== undefined && isSame(path, body, live)
  if (isList(body)) return isList(live) && isListHeld(path, fields, steps, body, live)
  if (!isObject(body) || !isObject(live)) return false
  const names = Object.keys(body)
  return (
    names.length === steps.length &&
    names.every((name) => isHeld(below(path, name), fields[`f:${name}`], body[name] ?? null, live[name]))
  )
}

/** The value as the server reads it. */
const plain = (value: Value): Json => {
  if (typeof value !== 'object' || value === null) return value
  if (isItems(value)) return value.map(plain)
  const members: Array<readonly [string, Json]> = []
  const put = (member: Value | undefined, name: string): void => {
    if (member !== undefined) members.push([name, plain(member)])
  }
  if (isMap(value)) value.forEach(put)
  else for (const name of Object.keys(value)) put(value[name], name)
  return Object.fromEntries(members)
}

/**
 * `object`: what would be sent. Laws: an object is unchanged right after it was applied; it is not once anybody has
 * changed, taken over or removed one of its fields, or when `object` has gained or lost a field.
 */
export const isUnchanged = (object: Value, live: ClusterObject, manager: string): boolean => {
  const wanted = plain(object)
  if (!isObject(wanted) || live.metadata.deletionTimestamp !== undefined) return false
  return isHeld(undefined, appliedFields(live, manager, textAt(wanted, 'apiVersion')), managedPart(wanted), live)
}
