/** `A` with the members that may be undefined made optional. */
export type Defined<A> = {
  [K in keyof A as undefined extends A[K] ? never : K]: A[K]
} & { [K in keyof A as undefined extends A[K] ? K : never]?: Exclude<A[K], undefined> }

/** Leaves out the members that are undefined; the others keep their order. */
export function defined<const A extends object>(members: A): Defined<A>
export function defined(members: Readonly<Record<string, unknown>>): object {
  const kept: Record<string, unknown> = {}
  for (const key in members) if (members[key] !== undefined) kept[key] = members[key]
  return kept
}

/** `f` of a value that is defined. */
export const ifDefined = <A, B>(value: A | undefined, f: (value: A) => B): B | undefined =>
  value === undefined ? undefined : f(value)
