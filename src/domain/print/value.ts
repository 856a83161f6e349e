/**
 * The plain data that the printers print. Mappings with user-chosen keys are `Map`s, to preserve the order and names of
 * the keys.
 */

/** Members that are `undefined` are left out. Numbers are finite. */
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
