/** Which versions of devtool a platform works with. */

/** Requests of older clients are refused: they may not understand the answers. */
export const OLDEST_CLIENT = '0.1.0'

const partsOf = (version: string): ReadonlyArray<number> | undefined => {
  const [, ...parts] = /^(\d{1,6})\.(\d{1,6})\.(\d{1,6})(?:[-+].*)?$/.exec(version) ?? []
  return parts.length === 0 ? undefined : parts.map(Number)
}

/**
 * Whether `version` is older than `oldest`. An invalid version is never too old: other programs call the API as well.
 */
export const isTooOld = (version: string, oldest: string = OLDEST_CLIENT): boolean => {
  const [own, least] = [partsOf(version), partsOf(oldest)]
  if (own === undefined || least === undefined) return false
  const difference = own.map((part, at) => part - (least[at] ?? 0)).find((one) => one !== 0)
  return (difference ?? 0) < 0
}
