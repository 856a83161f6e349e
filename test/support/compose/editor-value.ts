/** A YAML tree as an editor sees it, to validate it against a JSON Schema. */
import type { Json } from '../../../src/domain/cluster/json.ts'
import { kindOf, type Node } from '../../../src/domain/yaml/node.ts'

export const editorValue = (node: Node): Json => {
  if (node._tag === 'Sequence') return node.items.map(editorValue)
  if (node._tag === 'Mapping') {
    return Object.fromEntries(node.entries.map(({ key, value }) => [key.text, editorValue(value)]))
  }
  const kind = kindOf(node)
  if (kind === 'string') return node.text
  if (kind === 'null') return null
  return kind === 'boolean' ? node.text.toLowerCase() === 'true' : Number(node.text)
}
