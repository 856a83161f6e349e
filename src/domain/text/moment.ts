/** RFC 3339 timestamps, calculated without the machine's clock and calendar: the domain has neither. */

/** `seconds` since 1970 in UTC, and the fraction of the second. */
export type Moment = { readonly seconds: number; readonly nanos: number }

/** Days since 1970-01-01 in the Gregorian calendar; years are counted from March, so that the leap day comes last. */
const daysOf = (year: number, month: number, day: number): number => {
  const y = month <= 2 ? year - 1 : year
  const era = Math.floor(y / 400)
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1
  const yearOfEra = y - era * 400
  return era * 146_097 + yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear - 719_468
}

const FORM = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9})\d*)?(?:[Zz]|([+-])(\d\d):?(\d\d))$/

/** `undefined` for an invalid timestamp. */
export const readMoment = (text: string): Moment | undefined => {
  const match = FORM.exec(text)
  if (match === null) return undefined
  const [, year, month, day, hours, minutes, seconds, fraction = '', sign, offHours = 0, offMinutes = 0] = match
  const offset = (Number(offHours) * 60 + Number(offMinutes)) * (sign === '-' ? -60 : 60)
  const days = daysOf(Number(year), Number(month), Number(day))
  const ofDay = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
  return { seconds: days * 86_400 + ofDay - offset, nanos: Number(fraction.padEnd(9, '0')) }
}

/** 0 when one of the timestamps is invalid. */
export const secondsBetween = (from: string, to: string): number => {
  const [a, b] = [readMoment(from), readMoment(to)]
  return a === undefined || b === undefined ? 0 : b.seconds - a.seconds
}

export const compareMoments = (a: Moment, b: Moment): number => a.seconds - b.seconds || a.nanos - b.nanos

const padded = (value: number, width = 2): string => String(value).padStart(width, '0')

/** In UTC, in seconds or milliseconds: `2026-11-21T10:00:00Z`, `2026-11-21T10:00:00.250Z`. Years 0 to 9999. */
export const showMoment = ({ nanos, seconds }: Moment): string => {
  const days = Math.floor(seconds / 86_400)
  const shifted = days + 719_468
  const era = Math.floor(shifted / 146_097)
  const ofEra = shifted - era * 146_097
  const yearOfEra = Math.floor(
    (ofEra - Math.floor(ofEra / 1460) + Math.floor(ofEra / 36_524) - Math.floor(ofEra / 146_096)) / 365,
  )
  const dayOfYear = ofEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153)
  const day = dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  const ofDay = seconds - days * 86_400
  const time = [Math.floor(ofDay / 3600), Math.floor(ofDay / 60) % 60, ofDay % 60].map((part) => padded(part)).join(':')
  const millis = Math.floor(nanos / 1_000_000)
  return `${padded(year, 4)}-${padded(month)}-${padded(day)}T${time}${millis === 0 ? '' : `.${padded(millis, 3)}`}Z`
}

/** The time since then in one or two units: `40s`, `3m20s`, `2h5m`, `3d4h`; `''` when a timestamp is invalid. */
export const showAge = (since: string | undefined, now: string): string => {
  const [from, to] = [readMoment(since ?? ''), readMoment(now)]
  if (from === undefined || to === undefined) return ''
  const seconds = Math.max(0, to.seconds - from.seconds)
  const pair = (unit: number, name: string, lesser: number, lesserName: string): string => {
    const rest = Math.floor((seconds % unit) / lesser)
    return `${Math.floor(seconds / unit)}${name}${rest === 0 ? '' : `${rest}${lesserName}`}`
  }
  if (seconds < 60) return `${seconds}s`
  if (seconds < 600) return pair(60, 'm', 1, 's')
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m`
  if (seconds < 86_400) return pair(3600, 'h', 60, 'm')
  return seconds < 864_000 ? pair(86_400, 'd', 3600, 'h') : `${Math.floor(seconds / 86_400)}d`
}
