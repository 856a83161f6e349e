/** Whether two trees say the same, wherever they were written. */
import { isNull, type Node } from './node.ts'

/**
 * Two trees that say the same have one key: the order of a mapping counts for nothing, and a key without a value says as
 * much as one with an empty mapping.
 */
export const sameKey = (node: Node): string => {
  if (isNull(node)) return '{}'
  if (node._tag === 'Scalar') return JSON.stringify(node.text)
  if (node._tag === 'Sequence') return `[${node.items.map(sameKey).join(',')}]`
  const members = node.entries.map(({ key, value }) => `${JSON.stringify(key.text)}:${sameKey(value)}`)
  return `{${members.toSorted().join(',')}}`
}

export const isSame = (a: Node, b: Node): boolean => a === b || sameKey(a) === sameKey(b)
