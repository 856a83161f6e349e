/** Runs something for every item, with a limit on how many run at once. */

/** Results in the order of the items. */
export const bounded = async <A, B>(
  items: ReadonlyArray<A>,
  run: (item: A) => Promise<B>,
  atOnce = 16,
): Promise<ReadonlyArray<B>> => {
  const results = new Map<number, B>()
  // Shared by all workers: each takes the next item.
  const queue = items.entries()
  const work = async (): Promise<void> => {
    for (const [index, item] of queue) results.set(index, await run(item))
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, work))
  return [...results].toSorted(([a], [b]) => a - b).map(([, result]) => result)
}
