/** Changes the current context of a kubeconfig, or its namespace: all other bytes stay the same. */
import { isCollection, isMap, isScalar, isSeq, parseDocument, type YAMLMap } from 'yaml'

type Edit = { readonly from: number; readonly to: number; readonly text: string }

/** Text that every version of YAML reads as a plain string. */
const valueText = (text: string, isJson: boolean): string =>
  !isJson && /^[A-Za-z][\w./@-]*$/.test(text) && !/^(?:y|n|yes|no|on|off|true|false|null)$/i.test(text)
    ? text
    : JSON.stringify(text)

const startOf = (node: unknown): number | undefined =>
  isScalar(node) || isCollection(node) ? node.range?.[0] : undefined

/** Inserted as the first member when the key is missing, so that the rest of the mapping does not matter. */
const inserted = (text: string, map: YAMLMap, key: string, value: string): Edit | undefined => {
  const first = map.items[0]
  const start = startOf(map)
  if (start === undefined) return undefined
  const isJson = isScalar(first?.key) && first.key.type === 'QUOTE_DOUBLE'
  const member = `${isJson ? JSON.stringify(key) : key}: ${valueText(value, isJson)}`
  if (map.flow === true) {
    const at = start + 1
    return { from: at, to: at, text: first === undefined ? member : `${member}, ` }
  }
  const at = startOf(first?.key)
  if (at === undefined) return undefined
  const column = at - (text.lastIndexOf('\n', at - 1) + 1)
  return { from: at, to: at, text: `${member}\n${' '.repeat(column)}` }
}

const memberOf = (map: YAMLMap, key: string): unknown =>
  map.items.find((pair) => isScalar(pair.key) && pair.key.value === key)?.value

const setMember = (text: string, map: YAMLMap, key: string, value: string): Edit | undefined => {
  const old = memberOf(map, key)
  if (old === undefined) return inserted(text, map, key, value)
  if (!isScalar(old) || old.range === undefined || old.range === null) return undefined
  const [from, to] = old.range
  const isJson = old.type === 'QUOTE_DOUBLE'
  // `key:` without a value ends right there.
  const space = from === to && !/\s$/.test(text.slice(0, from)) ? ' ' : ''
  return { from, to, text: space + valueText(value, isJson) }
}

const contextIn = (root: YAMLMap, name: string): YAMLMap | undefined => {
  const contexts = memberOf(root, 'contexts')
  if (!isSeq(contexts)) return undefined
  const item = contexts.items.find((one) => isMap(one) && one.get('name') === name)
  const context = isMap(item) ? memberOf(item, 'context') : undefined
  return isMap(context) ? context : undefined
}

const edited = (text: string, edit: (root: YAMLMap) => Edit | undefined): string | undefined => {
  const document = parseDocument(text)
  const change = isMap(document.contents) && document.errors.length === 0 ? edit(document.contents) : undefined
  return change === undefined ? undefined : text.slice(0, change.from) + change.text + text.slice(change.to)
}

/** The text with `current-context` set; `undefined` when that would change anything else. */
export const withCurrent = (text: string, context: string): string | undefined => {
  const changed = edited(text, (root) => setMember(text, root, 'current-context', context))
  return changed !== undefined && parseDocument(changed).get('current-context') === context ? changed : undefined
}

/** The text with the namespace of that context set; `undefined` as in {@link withCurrent}. */
export const withNamespace = (text: string, context: string, namespace: string): string | undefined => {
  const changed = edited(text, (root) => {
    const map = contextIn(root, context)
    return map === undefined ? undefined : setMember(text, map, 'namespace', namespace)
  })
  if (changed === undefined) return undefined
  const { contents } = parseDocument(changed)
  const map = isMap(contents) ? contextIn(contents, context) : undefined
  return map?.get('namespace') === namespace ? changed : undefined
}
