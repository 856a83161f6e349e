/** Kubernetes quantities (the grammar of `resource.Quantity` in apimachinery), for validation and comparison. */
import * as E from 'fp-ts/lib/Either.js'
import { type Fault, fail, quote } from './fault.ts'
import { remembered } from './remembered.ts'

const DECIMAL: ReadonlyMap<string, number> = new Map([
  ['n', -9],
  ['u', -6],
  ['m', -3],
  ['', 0],
  ['k', 3],
  ['M', 6],
  ['G', 9],
  ['T', 12],
  ['P', 15],
  ['E', 18],
])
const BINARY = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei']

/** The value in the unit of the quantity (bytes, CPUs): `512m` is 0.512. */
export const readQuantity = remembered((text: string): E.Either<Fault, number> => {
  if (text === '') return fail('the quantity is empty', 0, 0)
  const [number = ''] = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)/.exec(text) ?? []
  if (number === '') return fail(`${quote(text)} is not a quantity`, 0, text.length)
  const suffix = text.slice(number.length)
  const value = valueOf(number, suffix)
  if (value === undefined) return fail(`unknown suffix of a quantity ${quote(suffix)}`, number.length, text.length)
  return Number.isFinite(value) ? E.right(value) : fail(`the quantity ${quote(text)} is too large`, 0, text.length)
})

const valueOf = (number: string, suffix: string): number | undefined => {
  const decimal = DECIMAL.get(suffix)
  if (decimal !== undefined) return Number(`${number}e${decimal}`)
  const binary = BINARY.indexOf(suffix)
  if (binary > 0) return Number(number) * 1024 ** binary
  return /^e[+-]?\d+$/i.test(suffix) ? Number(`${number}${suffix}`) : undefined
}
