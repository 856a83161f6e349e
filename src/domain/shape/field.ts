/**
 * Fields: a key, its shape, and its effect. Mappings with known keys are read through them, so every key of the input
 * is read, warned about, or rejected. The documentation and the JSON Schema are generated from the same table.
 */

import type { Checked } from '../checked.ts'
import * as C from '../checked.ts'
import { type Diagnostic, error, lost, remark, warning } from '../diagnostic/diagnostic.ts'
import { defined } from '../object/defined.ts'
import { closest, didYouMean } from '../text/suggest.ts'
import { type Entry, isNull, type Node } from '../yaml/node.ts'
import { type JsonSchema, type Located, located, type Shape, unexpected } from './shape.ts'

/**
 * - `maps`: becomes part of a Kubernetes object (or of what devtool does), named by `to`; `but` says what of it does not
 * - `warns`: known, but without effect on Kubernetes: one warning that gives the reason, or a note if nobody can notice
 * - `ignored`: nothing to do, and nothing is lost
 */
export type Effect =
  | { readonly _tag: 'maps'; readonly to: string; readonly but?: string }
  | {
      readonly _tag: 'warns'
      readonly why: string
      readonly unless?: (node: Node) => boolean
      readonly isUnnoticed?: true
    }
  | { readonly _tag: 'ignored'; readonly why: string }

export type Field<A> = { readonly shape: Shape<A>; readonly effect: Effect; readonly about: string }
export type Fields = Readonly<Record<string, Field<unknown>>>
export type FieldValues<F extends Fields> = {
  readonly [K in keyof F]?: F[K] extends Field<infer A> ? Exclude<A, undefined> : never
}

export const maps = <A>(shape: Shape<A>, to: string, about: string, but?: string): Field<A> => ({
  shape,
  effect: { _tag: 'maps', to, ...defined({ but }) },
  about,
})
export const warns = <A>(shape: Shape<A>, why: string, about: string, unless?: (node: Node) => boolean): Field<A> => ({
  shape,
  effect: { _tag: 'warns', why, ...defined({ unless }) },
  about,
})
export const notes = <A>(shape: Shape<A>, why: string, about: string, unless?: (node: Node) => boolean): Field<A> => ({
  shape,
  effect: { _tag: 'warns', why, isUnnoticed: true, ...defined({ unless }) },
  about,
})
export const ignored = <A>(shape: Shape<A>, why: string, about: string): Field<A> => ({
  shape,
  effect: { _tag: 'ignored', why },
  about,
})

/** For `unless`: one of these words has the effect anyway. */
export const isOneOf =
  (...words: ReadonlyArray<string>) =>
  (node: Node): boolean =>
    node._tag === 'Scalar' && words.includes(node.text)

const isExtension = (key: string): boolean => key.startsWith('x-')

const remedy = (key: string): string =>
  isExtension(key)
    ? 'devtool reads no such key here: move it, or give it another prefix to keep it as an extension of your own'
    : 'remove it, or begin it with x- to keep it as an extension'

const unknownKey = (known: ReadonlyArray<string>, { key }: Entry, path: string): Diagnostic =>
  error('DT1004', `unknown key "${key.text}"`, {
    at: key,
    path: path || undefined,
    help: () => didYouMean(key.text, known, remedy(key.text)),
  })

/**
 * Whether a key is probably a misspelt extension of devtool's: one that begins as ours do, or is similar to one of
 * `ours`. At the top level all extensions are the user's own, for anchors.
 */
const isMisspelt = (key: string, ours: ReadonlyArray<string>, path: string): boolean =>
  path !== '' && (key.startsWith('x-devtool-') || closest(key, ours) !== undefined)

const unused = (entry: Entry, path: string, on: string, why: string, isUnnoticed = false): Diagnostic => {
  const effect = `no effect on ${on}: ${why}`
  const key = entry.key.text
  const message = `${key} has ${effect}`
  const place = { at: entry.key, path: path || undefined, [lost]: { key, why: effect } }
  return isUnnoticed ? remark('DT1102', message, place) : warning('DT1102', message, place)
}

/** An empty text, which a variable without a value leaves behind, requests nothing. */
const isEmptyText = (node: Node): boolean => node._tag === 'Scalar' && (isNull(node) || node.text.trim() === '')

const withoutEffect = (field: Field<unknown>, entry: Entry, path: string, on: string): Diagnostic | undefined => {
  const { effect } = field
  if (effect._tag !== 'warns' || isEmptyText(entry.value) || effect.unless?.(entry.value) === true) return undefined
  return unused(entry, path, on, effect.why, effect.isUnnoticed)
}

const objectSchema = (fields: Fields, isOpen: boolean): JsonSchema => ({
  type: 'object',
  properties: new Map(
    Object.entries(fields).map(([key, { shape, about }]) => [key, { description: about, ...shape.schema }]),
  ),
  patternProperties: { '^x-': {} },
  additionalProperties: isOpen,
})

/**
 * A mapping with known keys. A key without a value counts as absent, as in Compose. Finds DT1004 (unknown key) and
 * warns or notes DT1102 (no effect); keys that begin with `x-` are accepted. `others` is why keys that a plug-in may
 * define have no effect: these cause a warning instead of an error. `on`: what the fields without effect have no effect
 * on.
 */
export const object = <F extends Fields>(
  fields: F,
  others?: string,
  on = 'Kubernetes',
): Shape<Located<FieldValues<F>>> => {
  const known: ReadonlyMap<string, Field<unknown>> = new Map(Object.entries(fields))
  const names = Object.keys(fields)
  const ours = names.filter(isExtension)
  return {
    name: 'a mapping',
    schema: objectSchema(fields, others !== undefined),
    inner: { _tag: 'Object', fields },
    read: (node, path): Checked<Located<FieldValues<F>>> => {
      if (node._tag !== 'Mapping') return unexpected('a mapping', node, path)
      const found: Array<Diagnostic> = []
      const values: Record<string, unknown> = {}
      node.entries.forEach((entry) => {
        const key = entry.key.text
        const field = known.get(key)
        if (field === undefined) {
          if (isExtension(key)) {
            if (isMisspelt(key, ours, path)) found.push(unknownKey(ours, entry, path))
          } else found.push(others === undefined ? unknownKey(names, entry, path) : unused(entry, path, on, others))
          return
        }
        const effectless = withoutEffect(field, entry, path, on)
        if (effectless !== undefined) found.push(effectless)
        if (isNull(entry.value)) return
        const read = field.shape.read(entry.value, path === '' ? key : `${path}.${key}`)
        if (read._tag !== 'Right') for (const d of read.left) found.push(d)
        if (read._tag !== 'Left' && read.right !== undefined) values[key] = read.right
      })
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each member was read by the shape of its own key
      return C.note(located(values as FieldValues<F>, node, path), found)
    },
  }
}

/** DT1004 for unknown keys of a mapping. */
export const unknownKeys = (node: Node, known: ReadonlyArray<string>, path: string): ReadonlyArray<Diagnostic> => {
  const entries = node._tag === 'Mapping' ? node.entries : []
  return entries
    .filter(({ key: { text } }) => !known.includes(text) && !isExtension(text))
    .map((entry) => unknownKey(known, entry, path))
}

/** Whether the key is written at all, whatever its value: an invalid value is not a missing one. */
export const isWritten = ({ at }: Located<unknown>, key: string): boolean =>
  at._tag === 'Mapping' && at.entries.some((entry) => entry.key.text === key && !isNull(entry.value))
