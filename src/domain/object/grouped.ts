/** The items with the same key, in their order. Lists grow in place: a copy for each item would take quadratic time. */
export const grouped = <K, A>(items: Iterable<A>, keyOf: (item: A) => K): ReadonlyMap<K, readonly [A, ...Array<A>]> => {
  const groups = new Map<K, [A, ...Array<A>]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [item])
    else group.push(item)
  }
  return groups
}
