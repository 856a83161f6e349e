/** A YAML document as a tree in which every node knows where it was written. Aliases are shared nodes. */
import type { Span } from '../text/source.ts'

/** Compose's own tags; `!reset` and `!override` control merging. */
export type Tag = 'reset' | 'override'

/**
 * `text` is the value with escapes processed. `plain`: neither quoted nor a block, so it may be a number, a boolean or
 * null.
 */
export type Scalar = Span & {
  readonly _tag: 'Scalar'
  readonly text: string
  readonly plain: boolean
  readonly tag?: Tag
}
export type Sequence = Span & { readonly _tag: 'Sequence'; readonly items: ReadonlyArray<Node>; readonly tag?: Tag }
export type Entry = { readonly key: Scalar; readonly value: Node }
export type Mapping = Span & { readonly _tag: 'Mapping'; readonly entries: ReadonlyArray<Entry>; readonly tag?: Tag }
export type Node = Scalar | Sequence | Mapping

export const isNull = (node: Node): boolean =>
  node._tag === 'Scalar' && node.plain && node.text.length <= 4 && /^(?:null|Null|NULL|~|)$/.test(node.text)

/** The value of a key; `undefined` if the node is not a mapping. */
export const get = (node: Node | undefined, key: string): Node | undefined =>
  node?._tag === 'Mapping' ? node.entries.find((entry) => entry.key.text === key)?.value : undefined

/** YAML 1.2 core schema: the meaning of a plain scalar. Everything else is a string. */
const core = {
  bool: /^(?:true|True|TRUE|false|False|FALSE)$/,
  int: /^[-+]?[0-9]+$|^0o[0-7]+$|^0x[0-9a-fA-F]+$/,
  float: /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$|^[-+]?\.(?:inf|Inf|INF)$|^\.(?:nan|NaN|NAN)$/,
} as const

export type NodeKind = 'string' | 'integer' | 'number' | 'boolean' | 'null' | 'list' | 'mapping'

export const kindOf = (node: Node): NodeKind => {
  if (node._tag === 'Sequence') return 'list'
  if (node._tag === 'Mapping') return 'mapping'
  if (!node.plain) return 'string'
  if (isNull(node)) return 'null'
  if (node.text.length <= 5 && core.bool.test(node.text)) return 'boolean'
  if (!/^[-+.0-9]/.test(node.text)) return 'string'
  if (core.int.test(node.text)) return 'integer'
  return core.float.test(node.text) ? 'number' : 'string'
}
