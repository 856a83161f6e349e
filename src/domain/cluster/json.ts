/** JSON as a server sends it: nothing is known about it until it is read. Every reader here is total. */

export type Json = string | number | boolean | null | ReadonlyArray<Json> | JsonObject
export type JsonObject = { readonly [name: string]: Json | undefined }

const isList = (json: Json): json is ReadonlyArray<Json> => Array.isArray(json)

export const isObject = (json: Json | undefined): json is JsonObject =>
  typeof json === 'object' && json !== null && !isList(json)

/** `undefined` when the text is no JSON. */
export const parsedJson = (text: string): Json | undefined => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The value at a path; list items by their index. */
export const at = (json: Json | undefined, ...path: ReadonlyArray<string | number>): Json | undefined => {
  let reached = json
  for (const key of path) {
    if (typeof reached !== 'object' || reached === null) return undefined
    if (isList(reached)) reached = typeof key === 'number' ? reached[key] : undefined
    else reached = Object.hasOwn(reached, key) ? reached[key] : undefined
  }
  return reached
}

export const textAt = (json: Json | undefined, ...path: ReadonlyArray<string | number>): string | undefined => {
  const found = at(json, ...path)
  return typeof found === 'string' ? found : undefined
}

export const numberAt = (json: Json | undefined, ...path: ReadonlyArray<string | number>): number | undefined => {
  const found = at(json, ...path)
  return typeof found === 'number' ? found : undefined
}

/** `[]` when there is no list. */
export const listAt = (json: Json | undefined, ...path: ReadonlyArray<string | number>): ReadonlyArray<Json> => {
  const found = at(json, ...path)
  return found !== undefined && found !== null && isList(found) ? found : []
}

/** `{}` when there is no object. */
export const objectAt = (json: Json | undefined, ...path: ReadonlyArray<string | number>): JsonObject => {
  const found = at(json, ...path)
  return isObject(found) ? found : {}
}

/** Members whose values are strings, in the server's order. */
export const textsAt = (
  json: Json | undefined,
  ...path: ReadonlyArray<string | number>
): ReadonlyMap<string, string> => {
  const found = at(json, ...path)
  if (!isObject(found)) return new Map()
  return new Map(
    Object.entries(found).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : [])),
  )
}
