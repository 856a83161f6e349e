/** Sizes, counts and rates for people: decimal units, with few digits. */
import type { Moved } from './event.ts'

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'] as const

/** From here on tenths are dropped. */
const WHOLE = 99.95

/** The power of 1000 that leaves at most three digits before the point. */
const powerOf = (bytes: number): number => {
  let [rest, power] = [bytes, 0]
  while (rest >= 999.5 && power < UNITS.length - 1) {
    rest /= 1000
    power += 1
  }
  return power
}

const inUnit = (bytes: number, power: number, isWhole: boolean): string =>
  (bytes / 1000 ** power).toFixed(power === 0 || isWhole ? 0 : 1)

/** `999 B`, `12.3 MB`, `120 MB`. */
export const showSize = (bytes: number): string => {
  const power = powerOf(bytes)
  return `${inUnit(bytes, power, bytes / 1000 ** power >= WHOLE)} ${UNITS[power] ?? ''}`
}

/** `45 of 120 MB`: both in the unit of the total. */
const showPart = (bytes: number, total: number): string => {
  const power = powerOf(total)
  return `${inUnit(bytes, power, total / 1000 ** power >= WHOLE)} of ${showSize(total)}`
}

/** `1,204`. */
export const showCount = (count: number): string => {
  const digits = String(Math.round(count))
  const first = digits.length % 3
  const groups = [digits.slice(0, first), ...(digits.slice(first).match(/.{3}/g) ?? [])]
  return groups.filter((group) => group !== '').join(',')
}

/** `12.3 MB, 1,204 files, 8.1 MB/s`, `45 of 120 MB, 12.0 MB/s`. */
export const showMoved = ({ bytes, files, perSecond, total }: Moved): string =>
  [
    total === undefined || total < bytes ? showSize(bytes) : showPart(bytes, total),
    files === undefined ? '' : `${showCount(files)} ${files === 1 ? 'file' : 'files'}`,
    perSecond === undefined ? '' : `${showSize(perSecond)}/s`,
  ]
    .filter((part) => part !== '')
    .join(', ')
