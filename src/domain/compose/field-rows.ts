/** The table of fields as flat rows, in its own order, for documentation, `explain` and tests. */
import type { Effect, Field } from '../shape/field.ts'
import type { Inner, Shape } from '../shape/shape.ts'
import { documentFields } from './fields/document.ts'
import { endpointRules } from './fields/endpoints.ts'

/** `path`: `services.*.ports[].target`; `*` stands for a name that the user chooses, `[]` for the items of a list. */
export type FieldRow = {
  readonly path: string
  readonly form: string
  readonly effect: Effect
  readonly about: string
}

/** The form in words, with the form of list items. */
const formOf = ({ inner, name }: Shape<unknown>): string =>
  inner?._tag === 'Each' && inner.mark === '[]' && name === 'a list' ? `a list: ${inner.shape.name}` : name

/**
 * In both notations of `endpoints` the members are rules; the shape does not say so, since its reader tells the
 * notations apart.
 */
const innerOf = (path: string, shape: Shape<unknown>): Inner | undefined =>
  /^(?:deploy\.)?endpoints\.\*$/.test(path) ? endpointRules.inner : shape.inner

const walk = (path: string, shape: Shape<unknown>): ReadonlyArray<FieldRow> => {
  const inner = innerOf(path, shape)
  if (inner === undefined) return []
  if (inner._tag === 'Each') return walk(`${path}${inner.mark}`, inner.shape)
  return rowsOf(`${path}.`, inner.fields)
}

type Members = Extract<Inner, { readonly _tag: 'Object' }>['fields']

const isField = (member: Members[string]): member is Field<unknown> => 'effect' in member && 'about' in member

/** Rows of the fields below `prefix` (`deploy.`), and of everything below those. */
export const rowsOf = (prefix: string, fields: Members): ReadonlyArray<FieldRow> =>
  Object.entries(fields).flatMap(([key, field]) => {
    if (!isField(field)) return []
    const { about, effect, shape } = field
    const path = `${prefix}${key}`
    return [{ path, form: formOf(shape), effect, about }, ...walk(path, shape)]
  })

export const fieldRows = (): ReadonlyArray<FieldRow> => rowsOf('', documentFields)
