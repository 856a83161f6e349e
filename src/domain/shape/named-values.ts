/** Lists and mappings of names with values. */

import type { Checked } from '../checked.ts'
import * as C from '../checked.ts'
import { error } from '../diagnostic/diagnostic.ts'
import { defined } from '../object/defined.ts'
import type { NamedValue } from '../text/written.ts'
import type { Variables } from '../yaml/interpolate.ts'
import type { Located, Pair } from './shape.ts'

type Pairs = Located<ReadonlyArray<Pair>>

/** A bare name takes the value of this machine's variable, if it is set. Finds DT1028. */
export const valuesOf = (variables: Variables, pairs: Pairs | undefined): Checked<ReadonlyArray<NamedValue>> =>
  C.each(({ name, value, at, path }: Pair) => {
    const known = value ?? variables(name)
    const named = { name, ...defined({ value: known }), at, path }
    if (name !== '' && !/\s/.test(name)) return C.ok<NamedValue>(named)
    const message = name === '' ? 'a name is missing' : `"${name}" cannot be a name`
    return C.fail(error('DT1028', message, { at, path, help: 'write NAME=value' }))
  })(pairs?.value ?? [])

/** Pairs as written: labels do not take values of this machine's variables. */
export const labelsOf = (pairs: Pairs | undefined): Checked<ReadonlyArray<NamedValue>> =>
  valuesOf(() => undefined, pairs)
