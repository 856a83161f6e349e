/** Defaults that the server adds to new parts of an object, which are left out of diffs. */
import { isObject, type Json, type JsonObject } from '../cluster/json.ts'

const isList = (json: Json | undefined): json is ReadonlyArray<Json> => Array.isArray(json)

/** Fields by which the API merges lists, the most specific first: a mount has a name, too. */
const keys = ['mountPath', 'devicePath', 'containerPort', 'port', 'ip', 'topologyKey', 'uid', 'name'] as const

/** The server sets the protocol of a port that has none. */
const keyOf = (item: Json): string | undefined => {
  if (!isObject(item)) return undefined
  const key = keys.find((name) => item[name] !== undefined)
  return key === undefined ? undefined : JSON.stringify([key, item[key], item['protocol'] ?? 'TCP'])
}

/** The same item in another version of the list; one without a key is found by its place. */
const partnerIn =
  (list: Json | undefined) =>
  (item: Json, index: number): Json | undefined => {
    if (!isList(list)) return undefined
    const key = keyOf(item)
    return key === undefined ? list[index] : list.find((one) => keyOf(one) === key)
  }

const membersOf = (applied: JsonObject, live: Json | undefined, sent: JsonObject): JsonObject => {
  const before = isObject(live) ? live : {}
  return Object.fromEntries(
    Object.entries(applied).flatMap(([name, value = null]) =>
      sent[name] === undefined && before[name] === undefined
        ? []
        : [[name, withoutAdded(value, before[name], sent[name])]],
    ),
  )
}

/**
 * `applied` without fields that were neither there before (`live`) nor `sent`. Law: what was sent, and what existed and
 * stays, is in it.
 */
export const withoutAdded = (applied: Json, live: Json | undefined, sent: Json | undefined): Json => {
  if (isObject(applied)) return isObject(sent) ? membersOf(applied, live, sent) : applied
  if (!isList(applied) || !isList(sent)) return applied
  const [before, own] = [partnerIn(live), partnerIn(sent)]
  return applied.map((item, index) => withoutAdded(item, before(item, index), own(item, index)))
}
