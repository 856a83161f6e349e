/**
 * `<<` merge keys (YAML 1.1 type repository, kept by Compose): a mapping, or a list of mappings, earlier ones first.
 */
import { type Diagnostic, error } from '../diagnostic/diagnostic.ts'
import type { Entry, Mapping, Node } from './node.ts'

export type MergedMapping = {
  readonly entries: ReadonlyArray<Entry>
  readonly found: ReadonlyArray<Diagnostic>
  /** The number of entries that were copied from elsewhere: the cost of a chain of merges. */
  readonly copied: number
}

const isMergeKey = (entry: Entry): boolean => entry.key.text === '<<' && entry.key.plain

const mergeSources = (value: Node): ReadonlyArray<Mapping> | undefined => {
  if (value._tag === 'Mapping') return [value]
  if (value._tag === 'Scalar') return undefined
  return value.items.every((item) => item._tag === 'Mapping') ? value.items : undefined
}

const duplicate = (first: Entry, second: Entry): Diagnostic =>
  error('DT1005', `duplicate key "${second.key.text}"`, {
    at: second.key,
    help: 'remove one of the two',
    related: [{ at: first.key, message: 'first defined here' }],
  })

const withoutDuplicates = (entries: ReadonlyArray<Entry>, found: Array<Diagnostic>): ReadonlyArray<Entry> => {
  const index = new Map<string, Entry>()
  for (const entry of entries) {
    const first = index.get(entry.key.text)
    if (first === undefined) index.set(entry.key.text, entry)
    else found.push(duplicate(first, entry))
  }
  return [...index.values()]
}

/** With few keys, comparing is faster than hashing. */
const mostCompared = 8

const hasDuplicates = (entries: ReadonlyArray<Entry>): boolean => {
  if (entries.length > mostCompared) return new Set(entries.map(({ key }) => key.text)).size < entries.length
  for (let i = 1; i < entries.length; i += 1) {
    for (let j = 0; j < i; j += 1) if (entries[i]?.key.text === entries[j]?.key.text) return true
  }
  return false
}

/** The entries with merge keys expanded; the mapping's own keys win, and duplicates are DT1005. */
export const applyMerges = (entries: ReadonlyArray<Entry>): MergedMapping => {
  const found: Array<Diagnostic> = []
  const own = hasDuplicates(entries) ? withoutDuplicates(entries, found) : entries
  if (!own.some(isMergeKey)) return { entries: own, found, copied: 0 }
  const result = new Map<string, Entry>()
  const add = (entry: Entry): void => {
    if (!result.has(entry.key.text)) result.set(entry.key.text, entry)
  }
  let copied = 0
  const copy = (from: Mapping): void => {
    copied += from.entries.length
    from.entries.forEach(add)
  }
  entries.forEach((entry) => {
    // An overridden entry keeps its place.
    if (!isMergeKey(entry)) return result.set(entry.key.text, entry)
    const sources = mergeSources(entry.value)
    if (sources !== undefined) return sources.forEach(copy)
    found.push(error('DT1002', 'a merge key (<<) needs a mapping, or a list of mappings', { at: entry.value }))
  })
  return { entries: [...result.values()], found, copied }
}
