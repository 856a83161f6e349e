/** Waits until a count no longer changes. */

/** The count once it has not changed for a while. */
export const settled = async (count: () => number): Promise<number> => {
  for (let [turns, before] = [0, -1]; turns < 20; turns += 1) {
    if (count() !== before) [turns, before] = [0, count()]
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  return count()
}
