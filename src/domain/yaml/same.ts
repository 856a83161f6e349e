/** Whether two trees say the same, wherever they were written. */
import { isNull, type Node } from './node.ts'

/** A key without a value says as much as one with an empty mapping. */
const isEmpty = (node: Node): boolean => isNull(node) || (node._tag === 'Mapping' && node.entries.length === 0)

const sameAt = (a: Node, b: Node | undefined): boolean => b !== undefined && isSame(a, b)

export const isSame = (a: Node, b: Node): boolean => {
  if (a === b || (isEmpty(a) && isEmpty(b))) return true
  if (a._tag === 'Scalar') return b._tag === 'Scalar' && a.text === b.text
  if (a._tag === 'Sequence') {
    return b._tag === 'Sequence' && a.items.length === b.items.length && a.items.every((x, i) => sameAt(x, b.items[i]))
  }
  if (b._tag !== 'Mapping' || a.entries.length !== b.entries.length) return false
  const values = new Map(b.entries.map(({ key, value }) => [key.text, value]))
  return a.entries.every(({ key, value }) => sameAt(value, values.get(key.text)))
}
