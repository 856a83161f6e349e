/** Durations as Compose writes them (Compose spec, "specifying durations"; days and weeks as compose-go reads them). */
import * as E from 'fp-ts/lib/Either.js'
import { type Fault, fail, quote } from './fault.ts'
import { remembered } from './remembered.ts'

const NANOSECONDS: ReadonlyMap<string, number> = new Map([
  ['ns', 1],
  ['us', 1e3],
  ['\u00b5s', 1e3],
  ['\u03bcs', 1e3],
  ['ms', 1e6],
  ['s', 1e9],
  ['m', 60e9],
  ['h', 3600e9],
  ['d', 86_400e9],
  ['w', 604_800e9],
])

/** The limit of Go's 64-bit duration: about 292 years. */
const LONGEST = 2 ** 63

/** In milliseconds, exact to the nanosecond. A bare number is a fault, except `0`: its unit depends on the field. */
export const readDuration = remembered((text: string): E.Either<Fault, number> => {
  if (text === '') return fail('the duration is empty', 0, 0)
  if (text === '0') return E.right(0)
  if (text.startsWith('-')) return fail(`the duration ${quote(text)} is negative`, 0, text.length)
  const term = /(\d+(?:\.\d*)?|\.\d+)([^\d.]*)/y
  let nanoseconds = 0
  for (let at = 0; at < text.length; at = term.lastIndex) {
    const match = term.exec(text)
    if (match === null) return fail(`${quote(text.slice(at))} is not a duration`, at, text.length)
    const [, number = '', unit = ''] = match
    const unitAt = at + number.length
    if (unit === '') return fail(`the duration ${quote(number)} has no unit`, at, unitAt)
    const size = NANOSECONDS.get(unit)
    if (size === undefined) return fail(`unknown unit of time ${quote(unit)}`, unitAt, unitAt + unit.length)
    nanoseconds += Math.round(Number(number) * size)
  }
  if (nanoseconds >= LONGEST) return fail(`the duration ${quote(text)} is too long`, 0, text.length)
  return E.right(nanoseconds / 1e6)
})
