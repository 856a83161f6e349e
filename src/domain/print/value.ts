/** What the printers print: plain data. Mappings written by users come as `Map`, so that their keys keep order and name. */

/** A member that is `undefined` is left out. Numbers are finite. */
export type Value =
  | string
  | number
  | boolean
  | null
  | ReadonlyArray<Value>
  | ReadonlyMap<string, Value>
  | { readonly [key: string]: Value | undefined }

/** Not `Array.isArray`, which does not narrow a `ReadonlyArray`. */
export const isList = (value: Value): value is ReadonlyArray<Value> => Array.isArray(value)

export const isMap = (value: Value): value is ReadonlyMap<string, Value> => value instanceof Map
