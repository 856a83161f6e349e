/** Whether two trees have the same meaning, wherever they were written. */
import { isNull, type Node } from './node.ts'

/**
 * Trees with the same meaning have the same key: the order of a mapping does not count, and a key without a value
 * equals one with an empty mapping.
 */
export const sameKey = (node: Node): string => {
  if (isNull(node)) return '{}'
  if (node._tag === 'Scalar') return JSON.stringify(node.text)
  if (node._tag === 'Sequence') return `[${node.items.map(sameKey).join(',')}]`
  const members = node.entries.map(({ key, value }) => `${JSON.stringify(key.text)}:${sameKey(value)}`)
  return `{${members.toSorted().join(',')}}`
}

export const isSame = (a: Node, b: Node): boolean => a === b || sameKey(a) === sameKey(b)
