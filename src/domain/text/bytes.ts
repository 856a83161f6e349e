/**
 * Byte sizes as Compose writes them (Compose spec, "specifying byte values"): every unit is a power of 1024, so `50M`
 * is 50 MiB. `Mi` and `Gi` are accepted too, since Kubernetes users write them.
 */
import * as E from 'fp-ts/lib/Either.js'
import { type Fault, fail, quote } from './fault.ts'
import { remembered } from './remembered.ts'

const UNITS = 'kmgtp'
const SUFFIXES = ['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'] as const
const LIMIT = 2 ** 63

/** Whole bytes, rounded up. */
export const readBytes = remembered((text: string): E.Either<Fault, number> => {
  if (text === '') return fail('the size is empty', 0, 0)
  if (text.startsWith('-')) return fail(`the size ${quote(text)} is negative`, 0, text.length)
  const [whole = '', number = ''] = /^(\d+(?:\.\d*)?|\.\d+) ?/.exec(text) ?? []
  if (whole === '') return fail(`${quote(text)} is not a size`, 0, text.length)
  const unit = text.slice(whole.length).toLowerCase()
  if (!/^(?:b?|[kmgtp](?:b|ib?)?)$/.test(unit)) {
    return fail(`unknown unit of size ${quote(text.slice(whole.length))}`, whole.length, text.length)
  }
  const bytes = Math.ceil(Number(number) * 1024 ** (UNITS.indexOf(unit.charAt(0) || 'b') + 1))
  return bytes < LIMIT ? E.right(bytes) : fail(`the size ${quote(text)} is too large`, 0, text.length)
})

/** The shortest exact Kubernetes quantity; law: `readQuantity(showBytes(n))` is `n`, for whole `n` below 2^63. */
export const showBytes = (bytes: number): string => {
  let [size, power] = [Math.ceil(bytes), 0]
  while (size !== 0 && size % 1024 === 0 && power < SUFFIXES.length) {
    size /= 1024
    power += 1
  }
  return `${size}${SUFFIXES[power - 1] ?? ''}`
}
