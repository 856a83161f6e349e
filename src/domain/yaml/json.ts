/** A YAML tree as JSON, for settings in Kubernetes' own notation. */
import type { Json } from '../cluster/json.ts'
import { kindOf, type Node, type Scalar } from './node.ts'

const scalarJson = (node: Scalar): Json => {
  const kind = kindOf(node)
  if (kind === 'integer' || kind === 'number') return Number(node.text)
  if (kind === 'boolean') return node.text.toLowerCase() === 'true'
  return kind === 'null' ? null : node.text
}

export const jsonOf = (node: Node): Json => {
  switch (node._tag) {
    case 'Scalar':
      return scalarJson(node)
    case 'Sequence':
      return node.items.map(jsonOf)
    case 'Mapping':
      return Object.fromEntries(node.entries.map(({ key, value }) => [key.text, jsonOf(value)]))
  }
}
