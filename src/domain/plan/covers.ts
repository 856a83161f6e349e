/** Whether the live object contains everything that is wanted. It may hold more, since the API server adds defaults. */
import type { Json } from '../cluster/json.ts'
import type { Value } from '../print/value.ts'
import { isList, isMap } from '../print/value.ts'
import { readQuantity } from '../text/quantity.ts'

/** The server writes `1024Mi` as `1Gi`. */
const isSameText = (live: string, wanted: string): boolean => {
  if (live === wanted) return true
  const [a, b] = [readQuantity(live), readQuantity(wanted)]
  return a._tag === 'Right' && b._tag === 'Right' && a.right === b.right
}

const hasMembers = (live: Json | undefined, wanted: Iterable<readonly [string, Value | undefined]>): boolean => {
  if (typeof live !== 'object' || live === null || Array.isArray(live)) return false
  const members = new Map<string, Json | undefined>(Object.entries(live))
  for (const [name, value] of wanted) if (value !== undefined && !covers(members.get(name), value)) return false
  return true
}

export const covers = (live: Json | undefined, wanted: Value): boolean => {
  if (typeof wanted === 'string') return typeof live === 'string' && isSameText(live, wanted)
  if (typeof wanted !== 'object' || wanted === null) return live === wanted
  if (isList(wanted)) {
    const items: ReadonlyArray<Json> = Array.isArray(live) ? live : []
    return Array.isArray(live) && items.length === wanted.length && wanted.every((item, i) => covers(items[i], item))
  }
  return hasMembers(live, isMap(wanted) ? wanted : Object.entries(wanted))
}
