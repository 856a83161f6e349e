/**
 * Adds a label to the text of an object; the rest of the text stays exactly as it is, including the digits of numbers.
 * JSON is read as YAML.
 */
import { source } from '../text/source.ts'
import { get, isNull, type Mapping, type Node } from '../yaml/node.ts'
import { readYaml } from '../yaml/read.ts'

const quoted = (text: string): string => JSON.stringify(text)

const replace = (text: string, start: number, end: number, by: string): string =>
  text.slice(0, start) + by + text.slice(end)

/** `entry` is valid in both notations: `"name": value`. */
const insert = (text: string, mapping: Mapping, entry: string): string => {
  const { start } = mapping
  const [first] = mapping.entries
  if (text.charAt(start) === '{') {
    return replace(text, start + 1, start + 1, first === undefined ? entry : `${entry}, `)
  }
  const at = first?.key.start ?? start
  const column = at - (text.lastIndexOf('\n', at - 1) + 1)
  return replace(text, at, at, `${entry}\n${' '.repeat(column)}`)
}

/** Nests the entries where `path` does not exist yet. */
const put = (text: string, node: Node, path: ReadonlyArray<string>, value: string): string | undefined => {
  const [name = '', ...rest] = path
  if (node._tag !== 'Mapping') return undefined
  const wanted = rest.reduceRight((inner, key) => `{${quoted(key)}: ${inner}}`, quoted(value))
  const found = get(node, name)
  if (found === undefined) return insert(text, node, `${quoted(name)}: ${wanted}`)
  if (rest.length > 0 && !isNull(found)) return put(text, found, rest, value)
  if (found._tag !== 'Scalar' || text.slice(found.start, found.end).includes('\n')) return undefined
  if (found.start < found.end) return replace(text, found.start, found.end, wanted)
  // An empty value begins at its colon.
  const colon = text.indexOf(':', found.start)
  return colon === -1 ? undefined : replace(text, colon + 1, colon + 1, ` ${wanted}`)
}

const documentOf = (text: string): Node | undefined => {
  const read = readYaml(source('body', '.', text))
  return read._tag === 'Right' && read.right.length === 1 ? read.right[0] : undefined
}

/** An alias refers to text elsewhere, so such texts are left alone. */
const hasAliases = (text: string): boolean => /(?:^|[\s[{,])[&*][^\s]/m.test(text)

const isControlled = (owner: Node): boolean => {
  const controller = get(owner, 'controller')
  return controller?._tag === 'Scalar' && controller.plain && controller.text === 'true'
}

/**
 * The text of an object with the label in its own `metadata`, and nowhere else. `undefined` when that is impossible, or
 * when a controller owns the object. Law: read again, the object differs only in this label.
 */
export const labelText = (text: string, label: string, value: string): string | undefined => {
  const root = documentOf(text)
  if (root?._tag !== 'Mapping' || (text.charAt(root.start) !== '{' && hasAliases(text))) return undefined
  const owners = get(get(root, 'metadata'), 'ownerReferences')
  if (owners?._tag === 'Sequence' && owners.items.some(isControlled)) return undefined
  return put(text, root, ['metadata', 'labels', label], value)
}
