/** One Compose tree over another, with `!reset` and `!override` (Compose Specification, "Merge"). */
import type { Entry, Mapping, Node, Scalar, Sequence } from '../yaml/node.ts'
import { isNull } from '../yaml/node.ts'
import { sameKey } from '../yaml/same.ts'
import { childPath, type Rule, ruleOf } from './merge-rules.ts'

const scalarLike = (node: Node, text: string): Scalar => ({
  _tag: 'Scalar',
  text,
  plain: false,
  source: node.source,
  start: node.start,
  end: node.end,
})

const plainLike = (node: Node, text: string): Scalar => ({ ...scalarLike(node, text), plain: true })

const nullLike = (node: Node): Scalar => plainLike(node, '')

const spanOf = (node: Node) => ({ source: node.source, start: node.start, end: node.end })

const mappingOf = (node: Node, entries: ReadonlyArray<Entry>): Mapping => ({
  _tag: 'Mapping',
  entries,
  ...spanOf(node),
})

/** `NAME=value` items as entries of a mapping; a bare name has a null value. */
const pairEntry =
  (separator: RegExp) =>
  (item: Node): Entry => {
    if (item._tag !== 'Scalar') return { key: scalarLike(item, ''), value: item }
    const at = item.text.search(separator)
    return at < 0
      ? { key: scalarLike(item, item.text), value: nullLike(item) }
      : { key: scalarLike(item, item.text.slice(0, at)), value: scalarLike(item, item.text.slice(at + 1)) }
  }

const longForm = (short: ReadonlyArray<readonly [key: string, text: string]>, name: Scalar): Node => {
  if (short.length === 0) return nullLike(name)
  const entries = short.map(([key, text]) => ({ key: scalarLike(name, key), value: plainLike(name, text) }))
  return mappingOf(name, entries)
}

/** Entries of a mapping as `name=address` items; a name may have several addresses. */
const hostItems = ({ key, value }: Entry): ReadonlyArray<Node> => {
  const addresses = value._tag === 'Sequence' ? value.items : [value]
  return addresses.map((one) => (one._tag === 'Scalar' ? scalarLike(one, `${key.text}=${one.text}`) : one))
}

/** Docker takes `:` for `=`. */
const hostIdentity = (item: Node): string =>
  item._tag === 'Scalar' ? item.text.replace(/[=:]/, '=') : `{${item.start}}`

const isTextList = (node: Node): node is Sequence =>
  node._tag === 'Sequence' && node.items.every((item) => item._tag === 'Scalar')

/** Converts to the notation that both sides can share; anything else is left for the shape check to reject. */
const canonical = (rule: Rule | undefined, node: Node): Node => {
  if (rule?._tag === 'path' && node._tag === 'Scalar' && !isNull(node)) {
    return mappingOf(node, [{ key: scalarLike(node, rule.key), value: node }])
  }
  if (rule?._tag === 'pairs' && rule.mayBeText === true && node._tag === 'Scalar' && !isNull(node)) {
    return mappingOf(node, [pairEntry(rule.separator)(node)])
  }
  if (rule?._tag === 'pairs' && isTextList(node)) return mappingOf(node, node.items.map(pairEntry(rule.separator)))
  if (rule?._tag === 'names' && isTextList(node)) {
    return mappingOf(
      node,
      node.items.flatMap((item) => (item._tag === 'Scalar' ? [{ key: item, value: longForm(rule.short, item) }] : [])),
    )
  }
  if (rule?._tag === 'hosts' && node._tag === 'Mapping') {
    return { _tag: 'Sequence', items: node.entries.flatMap(hostItems), ...spanOf(node) }
  }
  if (rule?._tag === 'unique' && node._tag === 'Scalar' && !isNull(node)) {
    return { _tag: 'Sequence', items: [node], ...spanOf(node) }
  }
  return node
}

const uniqueItems = (items: ReadonlyArray<Node>, identity: (item: Node) => string): ReadonlyArray<Node> => {
  const byIdentity = new Map<string, Node>()
  for (const item of items) byIdentity.set(identity(item), item)
  return [...byIdentity.values()]
}

/** More places of one value than this help nobody, and a long chain of `extends` has a square of them. */
const mostPlaces = 16

/** The places of both: the value is written in parts. */
const bothPlaces = (base: Node, over: Node): Pick<Node, 'also'> => ({
  also: [...(over.also ?? []), spanOf(base), ...(base.also ?? [])].slice(0, mostPlaces),
})

/** An item of the later list that is there already is not added again. */
const added = (below: Sequence, above: Sequence): ReadonlyArray<Node> => {
  const there = new Set(below.items.map(sameKey))
  const isNew = (item: Node): boolean => {
    const key = sameKey(item)
    return !there.has(key) && there.add(key) !== undefined
  }
  return [...below.items, ...above.items.filter(isNew)]
}

/**
 * `isPairs`: a bare name means something as well (the value of the machine, or none), so it replaces the earlier value.
 */
const mergeMappings = (path: string, base: Mapping, over: Mapping, isPairs: boolean): Mapping => {
  const merged = new Map(base.entries.map((entry) => [entry.key.text, entry]))
  for (const entry of over.entries) {
    const below = merged.get(entry.key.text)
    const isNew = below === undefined || isPairs
    const value = isNew ? entry.value : mergeNodes(childPath(path, entry.key.text), below.value, entry.value)
    // A key in both files keeps its place in the first one; for pairs, the place is that of the value.
    const key = below === undefined || isPairs ? entry.key : below.key
    if (value.tag === 'reset') merged.delete(key.text)
    else merged.set(key.text, { key, value })
  }
  return { ...over, ...bothPlaces(base, over), entries: [...merged.values()] }
}

/** `logging` options belong to a driver: with another driver they are replaced, as in compose-go. */
const isOtherDriver = (path: string, base: Mapping, over: Mapping): boolean => {
  if (path !== 'services.*.logging') return false
  const driver = (node: Mapping): string | undefined => {
    const value = node.entries.find((entry) => entry.key.text === 'driver')?.value
    return value?._tag === 'Scalar' ? value.text : undefined
  }
  return driver(base) !== undefined && driver(over) !== undefined && driver(base) !== driver(over)
}

/**
 * `over` merged over `base`; `path` is the field's path in the table of rules (`services.*.ports`, '' for the root). A
 * value tagged `!override` replaces `base`, and anything replaces a null in `base`; a null in `over` leaves `base` as
 * it is, except a command, which is then that of the image. The result of a `!reset` keeps its tag: the enclosing
 * mapping drops the key.
 */
export const mergeNodes = (path: string, base: Node, over: Node): Node => {
  if (over.tag !== undefined || isNull(base)) return over
  const rule = ruleOf(path)
  if (rule?._tag === 'replace') return over
  if (isNull(over)) return base
  const [below, above] = [canonical(rule, base), canonical(rule, over)]
  if (below._tag === 'Mapping' && above._tag === 'Mapping') {
    return isOtherDriver(path, below, above) ? over : mergeMappings(path, below, above, rule?._tag === 'pairs')
  }
  if (below._tag === 'Sequence' && above._tag === 'Sequence') {
    const items = [...below.items, ...above.items]
    const merged = { ...above, ...bothPlaces(below, above) }
    if (rule?._tag === 'hosts') return { ...merged, items: uniqueItems(items, hostIdentity) }
    return { ...merged, items: rule?._tag === 'unique' ? uniqueItems(items, rule.identity) : added(below, above) }
  }
  return over
}

/** The tree without keys removed by `!reset` and without merge tags. */
export const settle = (node: Node): Node => {
  if (node._tag === 'Scalar') return node
  if (node._tag === 'Sequence') {
    const items = node.items.filter((item) => item.tag !== 'reset').map(settle)
    return items.length === node.items.length && items.every((item, i) => item === node.items[i])
      ? node
      : { ...node, items }
  }
  const entries = node.entries.flatMap((entry): ReadonlyArray<Entry> => {
    if (entry.value.tag === 'reset') return []
    const value = settle(entry.value)
    return [value === entry.value ? entry : { key: entry.key, value }]
  })
  return entries.length === node.entries.length && entries.every((entry, i) => entry === node.entries[i])
    ? node
    : { ...node, entries }
}
