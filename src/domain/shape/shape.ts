/**
 * Shapes: which forms a value may have. A shape reads values with their places, names itself in messages, and provides
 * its part of the JSON Schema. Shapes check only the form; the code that uses the value checks its meaning.
 */

import type { Checked } from '../checked.ts'
import * as C from '../checked.ts'
import { type Diagnostic, error, warning } from '../diagnostic/diagnostic.ts'
import { defined } from '../object/defined.ts'
import type { Value } from '../print/value.ts'
import { isNull, kindOf, type Node, type NodeKind, type Scalar } from '../yaml/node.ts'
import { hasVariables, isUnset } from './unset.ts'

/** A value with the node it was read from and its path in the document (`services.web.ports[0]`). */
export type Located<A> = { readonly value: A; readonly at: Node; readonly path: string }

export type JsonSchema = { readonly [key: string]: Value }

export type Shape<A> = {
  /** What messages call it: "expected …". */
  readonly name: string
  readonly schema: JsonSchema
  /** A part that the documentation lists in rows of its own. */
  readonly inner?: Inner
  readonly read: (node: Node, path: string) => Checked<A>
}

/** `Object`: named fields. `Each`: the items of a list or the entries of a mapping. */
export type Inner =
  | { readonly _tag: 'Object'; readonly fields: Readonly<Record<string, { readonly shape: Shape<unknown> }>> }
  | { readonly _tag: 'Each'; readonly mark: '[]' | '.*'; readonly shape: Shape<unknown> }

export type ValueOf<S> = S extends Shape<infer A> ? A : never

export const located = <A>(value: A, at: Node, path: string): Located<A> => ({ value, at, path })

const article = (kind: NodeKind): string => {
  const words: Readonly<Record<NodeKind, string>> = {
    string: 'a string',
    integer: 'a whole number',
    number: 'a number',
    boolean: 'a boolean',
    null: 'nothing',
    list: 'a list',
    mapping: 'a mapping',
  }
  return words[kind]
}

export const unexpected = (expected: string, node: Node, path: string, help?: string): Checked<never> =>
  C.fail(error('DT1002', `expected ${expected}, found ${article(kindOf(node))}`, { at: node, path, help }))

const scalar = <A>(
  name: string,
  schema: JsonSchema,
  parse: (node: Scalar) => A | undefined,
  help?: (node: Scalar) => string,
): Shape<Located<A>> => ({
  name,
  schema,
  read: (node, path) => {
    const value = node._tag === 'Scalar' ? parse(node) : undefined
    if (value !== undefined) return C.ok(located(value, node, path))
    return unexpected(name, node, path, node._tag === 'Scalar' ? help?.(node) : undefined)
  },
})

/**
 * A string. Numbers and booleans are rejected: some YAML readers have already changed the meaning of `010` or `yes`.
 */
export const text = scalar(
  'a string',
  { type: 'string' },
  (node) => (kindOf(node) === 'string' ? node.text : undefined),
  (node) => (isNull(node) ? 'give it a value or remove the key' : `write it in quotes: "${node.text}"`),
)

/** A string, or a number or boolean, as written. */
export const textOrNumber = scalar('a string or a number', { type: ['string', 'number', 'boolean'] }, (node) =>
  isNull(node) ? undefined : node.text,
)

/** A text that counts as absent when it is empty, as in Compose: a variable without a value leaves that behind. */
export const textOrNone: Shape<Located<string> | undefined> = {
  ...textOrNumber,
  read: (node, path) =>
    node._tag === 'Scalar' && node.text.trim() === '' ? C.ok(undefined) : textOrNumber.read(node, path),
}

/**
 * A number in the notations of YAML 1.1 and 1.2, in decimal: `0x1F`, `0b11`, `010` and `0o10` (both 8), `1_000`, `3.0`.
 * In quotes and from variables there are only decimal ones, as in Compose.
 */
const decimal = (node: Scalar): string => {
  if (!node.plain || !/^[-+]?[0-9]/.test(node.text) || hasVariables({ at: node })) return node.text
  const [, sign = '', prefix = '', digits] = /^([-+]?)(0[xbo]?)([0-9a-f_]+)$/i.exec(node.text) ?? []
  const value =
    digits === undefined ? Number.NaN : Number(`${prefix === '0' ? '0o' : prefix}${digits.replaceAll('_', '')}`)
  if (Number.isSafeInteger(value)) return `${sign === '-' ? sign : ''}${value}`
  return /^[-+]?[0-9][0-9_]*(?:\.[0-9_]*)?$/.test(node.text) ? node.text.replaceAll(/^\+|_|\.0*$/g, '') : node.text
}

/** An amount: a number, or a text with a unit. */
export const amount = scalar('a string or a number', { type: ['string', 'number', 'boolean'] }, (node) =>
  isNull(node) ? undefined : decimal(node),
)

const wholeNumber = scalar('a whole number', { type: ['integer', 'string'] }, (node) => {
  const written = decimal(node)
  const isNumber = /^[-+]?[0-9]{1,15}(?:\.0*)?(?:[eE]\+?[0-9]{1,2})?$/.test(written)
  return isNumber && Number.isSafeInteger(Number(written)) ? Number(written) : undefined
})

/** A whole number, possibly in quotes or from a variable. */
export const integer: Shape<Located<number>> = {
  ...wholeNumber,
  read: (node, path) =>
    kindOf(node) === 'integer' && node._tag === 'Scalar' && node.text.length > 15
      ? C.fail(error('DT1018', 'the number is too large', { at: node, path }))
      : wholeNumber.read(node, path),
}

/** A number, possibly in quotes or from a variable, in decimal as it is written. */
export const number = scalar('a number', { type: ['number', 'string'] }, (node) => {
  const written = decimal(node)
  return /^[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]{1,3})?$/.test(written) ? written : undefined
})

/** `true` or `false`, possibly in quotes or from a variable; also the words of YAML 1.1, as in Compose. */
export const flag = scalar('true or false', { type: ['boolean', 'string', 'integer'] }, (node) => {
  if (/^(?:true|yes|on|y|1)$/i.test(node.text)) return true
  return /^(?:false|no|off|n|0)$/i.test(node.text) ? false : undefined
})

/** Any value, not interpreted. */
export const anything: Shape<Located<Node>> = {
  name: 'anything',
  schema: {},
  read: (node, path) => C.ok(located(node, node, path)),
}

export const listOf = <A>(shape: Shape<A>): Shape<Located<ReadonlyArray<A>>> => ({
  name: 'a list',
  schema: { type: 'array', items: shape.schema },
  inner: { _tag: 'Each', mark: '[]', shape },
  read: (node, path) => {
    if (node._tag !== 'Sequence') {
      const help = node._tag === 'Scalar' && !isNull(node) ? 'put it on a line of its own, after "- "' : undefined
      return unexpected('a list', node, path, help)
    }
    const items = C.each((item: Node, i) => shape.read(item, `${path}[${i}]`))(node.items)
    return C.map((value: ReadonlyArray<A>) => located(value, node, path))(items)
  },
})

/** One value or a list of values. */
export const oneOrMore = <A>(shape: Shape<A>): Shape<Located<ReadonlyArray<A>>> => {
  const list = listOf(shape)
  return {
    name: `${shape.name} or a list`,
    schema: { oneOf: [shape.schema, list.schema] },
    inner: { _tag: 'Each', mark: '[]', shape },
    read: (node, path) => {
      if (node._tag === 'Sequence') return list.read(node, path)
      return C.map((value: A) => located([value], node, path))(shape.read(node, path))
    },
  }
}

/** Without items that are empty because a variable is not set, and without a single text that is empty. */
const withoutUnset = (
  list: Shape<Located<ReadonlyArray<Located<string>>>>,
): Shape<Located<ReadonlyArray<Located<string>>>> => ({
  ...list,
  read: (node, path) =>
    C.map((read: Located<ReadonlyArray<Located<string>>>) => ({
      ...read,
      value: read.value.filter((item) => !isUnset(item) && (item.at !== node || item.value.trim() !== '')),
    }))(list.read(node, path)),
})

/** A list whose order and number do not matter. */
export const setOf = (shape: Shape<Located<string>>) => withoutUnset(listOf(shape))

/** One value, or a list whose order and number do not matter. */
export const oneOrSet = (shape: Shape<Located<string>>) => withoutUnset(oneOrMore(shape))

export type ShapeMember<A> = { readonly key: Scalar; readonly value: A }

/** A mapping whose keys the user chooses, in the order written. */
export const entriesOf = <A>(shape: Shape<A>): Shape<Located<ReadonlyArray<ShapeMember<A>>>> => ({
  name: 'a mapping',
  schema: { type: 'object', additionalProperties: shape.schema },
  inner: { _tag: 'Each', mark: '.*', shape },
  read: (node, path) => {
    if (node._tag !== 'Mapping') return unexpected('a mapping', node, path)
    const members = C.each((entry: (typeof node.entries)[number]) =>
      C.map((value: A): ShapeMember<A> => ({ key: entry.key, value }))(
        shape.read(entry.value, `${path}.${entry.key.text}`),
      ),
    )(node.entries)
    return C.map((value: ReadonlyArray<ShapeMember<A>>) => located(value, node, path))(members)
  },
})

/** A mapping that may also have `x-` keys, which are ignored. */
export const withExtensions = <A>(shape: Shape<A>): Shape<A> => ({
  ...shape,
  schema: { ...shape.schema, patternProperties: { '^x-': {} } },
  read: (node, path) => {
    const isExtended = node._tag === 'Mapping' && node.entries.some(({ key }) => key.text.startsWith('x-'))
    if (!isExtended) return shape.read(node, path)
    return shape.read({ ...node, entries: node.entries.filter(({ key }) => !key.text.startsWith('x-')) }, path)
  },
})

/** No value, or the shape: for members such as `volumes: {data:}`. */
export const orNothing = <A>(shape: Shape<A>): Shape<A | undefined> => ({
  ...shape,
  schema: { anyOf: [{ type: 'null' }, shape.schema] },
  read: (node, path): Checked<A | undefined> => (isNull(node) ? C.ok(undefined) : shape.read(node, path)),
})

type Group = 'scalar' | 'list' | 'mapping'

/** One shape for each form that a value may have; the form decides, so a mistake is reported once. */
export const byForm = <S extends Partial<Record<Group, Shape<unknown>>>>(forms: S): Shape<ValueOf<S[keyof S]>> => {
  const shapes = Object.values(forms)
  const name = shapes.map((shape) => shape.name).join(' or ')
  const inner = forms.mapping?.inner ?? forms.list?.inner
  return {
    name,
    schema: { anyOf: shapes.map((shape) => shape.schema) },
    ...defined({ inner }),
    read: (node, path) => {
      const group: Group = node._tag === 'Scalar' ? 'scalar' : node._tag === 'Sequence' ? 'list' : 'mapping'
      const shape = forms[group]
      if (shape === undefined) return unexpected(name, node, path)
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the shape is one of the forms
      return shape.read(node, path) as Checked<ValueOf<S[keyof S]>>
    },
  }
}

/** `NAME=value` in a list, or an entry of a mapping. `value` is absent for a bare name or an empty value. */
export type Pair = { readonly name: string; readonly value?: string; readonly at: Node; readonly path: string }

const pairOfEntry = (path: string, key: Scalar, value: Node): Checked<Pair> => {
  if (value._tag !== 'Scalar') return unexpected('a string or a number', value, `${path}.${key.text}`)
  const at: Scalar = { ...key, end: value.source === key.source && value.end > key.end ? value.end : key.end }
  const own = `${path}.${key.text}`
  return C.ok(isNull(value) ? { name: key.text, at, path: own } : { name: key.text, value: value.text, at, path: own })
}

const pairOfItem = (separator: RegExp, path: string, item: Node): Checked<Pair> => {
  if (item._tag !== 'Scalar' || isNull(item)) return unexpected('NAME=value', item, path)
  const at = item.text.search(separator)
  if (at < 0) return C.ok({ name: item.text, at: item, path })
  return C.ok({ name: item.text.slice(0, at), value: item.text.slice(at + 1), at: item, path })
}

/** `- ${MORE}` where the variable is not set. */
const isUnsetPair = ({ at, name, value }: Pair): boolean => value === undefined && isUnset({ value: name, at })

/** Of two entries with the same name the last counts; a warning says that the first has no effect. */
const overridden = (pairs: ReadonlyArray<Pair>): ReadonlyArray<Diagnostic> => {
  const last = new Map(pairs.map((pair) => [pair.name, pair]))
  if (last.size === pairs.length) return []
  return pairs.flatMap(({ at, name, path }) => {
    const winner = last.get(name)
    if (winner === undefined || winner.at === at) return []
    const related = [{ at: winner.at, message: 'this one is used' }]
    return [warning('DT1121', `${name} is given again below, so this one is not used`, { at, path, related })]
  })
}

/** A mapping of names to texts, or a list of `NAME=value`, of which the last of a name counts. Warns DT1121. */
export const pairs = (separator = /=/, isUnique = true): Shape<Located<ReadonlyArray<Pair>>> => ({
  name: 'a mapping or a list of NAME=value',
  schema: {
    anyOf: [
      { type: 'object', additionalProperties: { type: ['string', 'number', 'boolean', 'null'] } },
      { type: 'array', items: { type: ['string', 'number', 'boolean'] } },
    ],
  },
  read: (node, path) => {
    if (node._tag === 'Scalar') return unexpected('a mapping or a list of NAME=value', node, path)
    const read =
      node._tag === 'Sequence'
        ? C.map((items: ReadonlyArray<Pair>) => items.filter((item) => !isUnsetPair(item)))(
            C.each((item: Node, i) => pairOfItem(separator, `${path}[${i}]`, item))(node.items),
          )
        : C.each((entry: (typeof node.entries)[number]) => pairOfEntry(path, entry.key, entry.value))(node.entries)
    return C.andThen((value: ReadonlyArray<Pair>) =>
      C.note(located(value, node, path), isUnique && node._tag === 'Sequence' ? overridden(value) : []),
    )(read)
  },
})
