/** Numbers of CPUs as Compose writes them (Compose spec, "cpus"), in millicores as in Kubernetes. */
import * as E from 'fp-ts/lib/Either.js'
import { type Fault, fail, quote } from './fault.ts'
import { remembered } from './remembered.ts'

/** Whole millicores, rounded up, so that a value above 0 never becomes 0. */
export const readCpus = remembered((text: string): E.Either<Fault, number> => {
  if (text === '') return fail('the number of CPUs is empty', 0, 0)
  if (text.startsWith('-')) return fail(`the number of CPUs ${quote(text)} is negative`, 0, text.length)
  const [whole, digits = '', exponent = '0'] = /^(\d+(?:\.\d*)?|\.\d+)(?:e([+-]?\d{1,3}))?$/i.exec(text) ?? []
  if (whole === undefined) return fail(`${quote(text)} is not a number of CPUs`, 0, text.length)
  // Moves the decimal point in the text: 1000 times the nearest double may be slightly more than the number meant.
  const exact = Number(`${digits}e${Number(exponent) + 3}`)
  const milli = Math.max(Math.ceil(exact), /[1-9]/.test(digits) ? 1 : 0)
  return Number.isSafeInteger(milli)
    ? E.right(milli)
    : fail(`the number of CPUs ${quote(text)} is too large`, 0, text.length)
})

/** A Kubernetes quantity; law: `readQuantity(showCpus(n))` is `n / 1000`. */
export const showCpus = (milli: number): string => (milli % 1000 === 0 ? `${milli / 1000}` : `${milli}m`)
