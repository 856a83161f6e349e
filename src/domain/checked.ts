/**
 * `Checked<A>`: a value with its findings, or only the findings that prevented it. Reading never stops at the first
 * mistake: `Both` may hold errors beside a value, so that the rest of the file is checked too; {@link hasErrors}
 * decides at the end. The loops are deliberate: fp-ts's generic `traverse` copies its accumulator at every step.
 */
import type { ReadonlyNonEmptyArray } from 'fp-ts/lib/ReadonlyNonEmptyArray.js'
import * as TH from 'fp-ts/lib/These.js'
import type { Diagnostic } from './diagnostic/diagnostic.ts'

type Findings = ReadonlyNonEmptyArray<Diagnostic>

/** Right: clean. Both: a value to go on with. Left: no value. */
export type Checked<A> = TH.These<Findings, A>

// Written out, not by TH.right and TH.map: a large project makes a hundred thousand of them in code that V8 does not optimise.
export const ok = <A>(value: A): Checked<A> => ({ _tag: 'Right', right: value })
export const fail = (...found: Findings): Checked<never> => TH.left(found)
export const map =
  <A, B>(f: (a: A) => B) =>
  (checked: Checked<A>): Checked<B> => {
    if (checked._tag === 'Right') return { _tag: 'Right', right: f(checked.right) }
    return checked._tag === 'Left' ? checked : { _tag: 'Both', left: checked.left, right: f(checked.right) }
  }

const none: ReadonlyArray<Diagnostic> = []

/** The findings, whatever the outcome. */
export const findings = <A>(checked: Checked<A>): ReadonlyArray<Diagnostic> =>
  checked._tag === 'Right' ? none : checked.left

export const hasErrors = (found: ReadonlyArray<Diagnostic>): boolean => found.some((d) => d.severity === 'error')

const isFound = (found: ReadonlyArray<Diagnostic>): found is Findings => found.length > 0

/** `value` with findings attached; none leaves it clean. */
export const note = <A>(value: A, found: ReadonlyArray<Diagnostic>): Checked<A> =>
  isFound(found) ? TH.both(found, value) : { _tag: 'Right', right: value }

/** No value, because of what was found, or else of `otherwise`. */
export const failBecause = (found: ReadonlyArray<Diagnostic>, otherwise: Diagnostic): Checked<never> =>
  TH.left(isFound(found) ? found : [otherwise])

/** The value, or `fallback` when there is none; the findings stay. */
export const orElse =
  <B>(fallback: B) =>
  <A>(checked: Checked<A>): Checked<A | B> =>
    checked._tag === 'Left' ? TH.both(checked.left, fallback) : checked

/** The value, if there is one. */
export const valueOf = <A>(checked: Checked<A>): A | undefined => (checked._tag === 'Left' ? undefined : checked.right)

/** Sequential: `f` runs only when there is a value. The findings of both steps are kept. */
export const andThen =
  <A, B>(f: (a: A) => Checked<B>) =>
  (checked: Checked<A>): Checked<B> => {
    if (checked._tag === 'Left') return checked
    const next = f(checked.right)
    if (checked._tag === 'Right') return next
    const found: Findings = [checked.left[0], ...checked.left.slice(1), ...findings(next)]
    return next._tag === 'Left' ? TH.left(found) : TH.both(found, next.right)
  }

/** Appends in place: a spread of a hundred thousand findings would overflow the stack. */
const append = (found: Array<Diagnostic>, more: ReadonlyArray<Diagnostic>): void => {
  for (const d of more) found.push(d)
}

const nothing: Checked<ReadonlyArray<never>> = ok([])

/** Independent: `f` runs on every item; those without a value are left out, every finding is kept. */
export const each =
  <A, B>(f: (a: A, index: number) => Checked<B>) =>
  (items: ReadonlyArray<A>): Checked<ReadonlyArray<B>> => {
    if (items.length === 0) return nothing
    const found: Array<Diagnostic> = []
    const values: Array<B> = []
    items.forEach((item, index) => {
      const checked = f(item, index)
      if (checked._tag !== 'Right') append(found, checked.left)
      if (checked._tag !== 'Left') values.push(checked.right)
    })
    return note(values, found)
  }

type Fields = Readonly<Record<string, Checked<unknown>>>
type Values<F extends Fields> = {
  readonly [K in keyof F]?: F[K] extends Checked<infer A> ? Exclude<A, undefined> : never
}

/** Independent fields of one value: those without a value are absent, every finding is kept. */
export const struct = <F extends Fields>(fields: F): Checked<Values<F>> => {
  const found: Array<Diagnostic> = []
  const values: Record<string, unknown> = {}
  for (const key in fields) {
    const checked = fields[key]
    if (checked === undefined) continue
    if (checked._tag !== 'Right') append(found, checked.left)
    if (checked._tag !== 'Left' && checked.right !== undefined) values[key] = checked.right
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each member was read for its own key
  return note(values as Values<F>, found)
}

/** What a `Checked` holds. */
export type ValueIn<X> = [X] extends [Checked<infer A>] ? A : never
