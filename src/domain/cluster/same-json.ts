/** Whether two values of JSON mean the same: the order of names has no meaning. */
import { isObject, type Json } from './json.ts'

/** With the names in order, so that equal values have equal texts. */
export const canonical = (json: Json): Json => {
  if (isObject(json)) {
    const entries = Object.entries(json).filter(([, value]) => value !== undefined)
    return Object.fromEntries(
      entries
        .map(([name, value = null]) => [name, canonical(value)] as const)
        .toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)),
    )
  }
  return Array.isArray(json) ? json.map(canonical) : json
}

export const isSameJson = (a: Json, b: Json): boolean => JSON.stringify(canonical(a)) === JSON.stringify(canonical(b))
