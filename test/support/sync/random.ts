/** Random numbers, repeatable by a seed. */

export type Random = {
  /** Below `most`. */
  readonly below: (most: number) => number
  readonly chance: (share: number) => boolean
  readonly pick: <A>(items: ReadonlyArray<A>) => A | undefined
}

/** mulberry32. */
export const randomOf = (seed: number): Random => {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let value = Math.imul(state ^ (state >>> 15), state | 1)
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61)
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (most: number): number => Math.floor(next() * most)
  return { below, chance: (share) => next() < share, pick: (items) => items[below(items.length)] }
}
