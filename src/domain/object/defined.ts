/** `A` with the members that may be undefined made optional. */
export type Defined<A> = {
  [K in keyof A as undefined extends A[K] ? never : K]: A[K]
} & { [K in keyof A as undefined extends A[K] ? K : never]?: Exclude<A[K], undefined> }

/** Leaves out the members that are undefined; the others keep their order. */
export function defined<const A extends object>(members: A): Defined<A>
export function defined(members: object): object {
  const kept: Record<string, unknown> = {}
  for (const [key, member] of Object.entries(members)) if (member !== undefined) kept[key] = member
  return kept
}
