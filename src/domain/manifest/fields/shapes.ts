/** Shapes that only manifests need. */

import type { Checked } from '../../checked.ts'
import * as C from '../../checked.ts'
import { type Diagnostic, error } from '../../diagnostic/diagnostic.ts'
import { defined } from '../../object/defined.ts'
import { anything, byForm, type JsonSchema, type Located, located, type Shape, text } from '../../shape/shape.ts'
import { didYouMean } from '../../text/suggest.ts'
import { type Entry, isNull, type Node } from '../../yaml/node.ts'

/** One of the words; anything else is DT1018 with a suggestion. Editors accept variables as well. */
export const oneOf = <W extends string>(what: string, words: ReadonlyArray<W>): Shape<Located<W>> => ({
  name: words.join(', '),
  schema: { anyOf: [{ enum: words }, { type: 'string', pattern: '\\$' }] },
  read: (node, path) =>
    C.andThen((written: Located<string>): Checked<Located<W>> => {
      const word = words.find((known) => known === written.value)
      if (word !== undefined) return C.ok(located(word, node, path))
      const help = (): string =>
        didYouMean(written.value, words, `use ${words.slice(0, -1).join(', ')} or ${words.at(-1)}`)
      return C.fail(error('DT1018', `unknown ${what} "${written.value}"`, { at: node, path, help }))
    })(text.read(node, path)),
})

/** Documented like `shape`, but read elsewhere. */
export const unread = ({ inner, name, schema }: Shape<unknown>): Shape<Located<Node>> => ({
  name,
  schema,
  ...defined({ inner }),
  read: anything.read,
})

/** A value in Kubernetes' own notation: any mapping, or any list. */
export const kubernetes = (form: 'a mapping' | 'a list'): Shape<Located<Node>> => ({
  name: `${form} as in Kubernetes`,
  schema: { type: form === 'a list' ? 'array' : 'object' } satisfies JsonSchema,
  read: (node, path) =>
    node._tag === (form === 'a list' ? 'Sequence' : 'Mapping')
      ? C.ok(located(node, node, path))
      : C.fail(error('DT1002', `expected ${form}`, { at: node, path, help: 'write it as in Kubernetes' })),
})

const foundIn = (entries: ReadonlyArray<Entry>, path: string, keys: Keys): ReadonlyArray<Diagnostic> =>
  entries.flatMap(({ key }) => {
    const why = keys[key.text]
    if (why === undefined || !Object.hasOwn(keys, key.text)) return []
    return [error('DT1502', `${key.text} ${why.message}`, { at: key, path: path || undefined, help: why.help })]
  })

/** Keys that are not allowed here, with the reason. */
type Keys = Readonly<Record<string, { readonly message: string; readonly help: string }>>

/** A mapping that rejects keys which are valid elsewhere, with the reason. Finds DT1502. */
export const without = <A>(keys: Keys, shape: Shape<A>): Shape<A> => ({
  ...shape,
  read: (node, path) => {
    const found = node._tag === 'Mapping' ? foundIn(node.entries, path, keys) : []
    if (node._tag !== 'Mapping' || found.length === 0) return shape.read(node, path)
    const entries = node.entries.filter(({ key }) => !Object.hasOwn(keys, key.text))
    return C.andThen(() => shape.read({ ...node, entries }, path))(C.note(undefined, found))
  },
})

/** The same notation, with its value mapped. */
export const mapped = <A, B>(shape: Shape<A>, f: (value: A) => B): Shape<B> => ({
  ...shape,
  read: (node, path) => C.map(f)(shape.read(node, path)),
})

/** No value counts as an empty mapping. */
export const orEmpty = <A>(shape: Shape<A>): Shape<A> => ({
  ...shape,
  schema: { anyOf: [{ type: 'null' }, shape.schema] },
  read: (node, path) => shape.read(isNull(node) ? { ...node, _tag: 'Mapping', entries: [] } : node, path),
})

/** A mapping, or a scalar or list as its short notation. */
export const shortOr = <A, V>(
  form: 'scalar' | 'list',
  short: Shape<Located<A>>,
  meaning: (written: Located<A>) => V,
  long: Shape<Located<V>>,
): Shape<Located<V>> => {
  const brought = mapped(short, (written) => located(meaning(written), written.at, written.path))
  return form === 'scalar' ? byForm({ scalar: brought, mapping: long }) : byForm({ list: brought, mapping: long })
}
