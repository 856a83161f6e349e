/** `<<` merge keys (YAML 1.1 type repository, kept by Compose): a mapping, or a list of mappings, earlier ones first. */
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

/** The entries with merge keys expanded; the mapping's own keys win, and duplicates are DT1005. */
export const applyMerges = (entries: ReadonlyArray<Entry>): MergedMapping => {
  const names = new Set(entries.map(({ key }) => key.text))
  const found: Array<Diagnostic> = []
  const own = names.size === entries.length ? entries : withoutDuplicates(entries, found)
  if (!names.has('<<') || !own.some(isMergeKey)) return { entries: own, found, copied: 0 }
  const result = new Map<string, Entry>()
  const explicit = new Map(entries.filter((entry) => !isMergeKey(entry)).map((entry) => [entry.key.text, entry]))
  let copied = 0
  for (const entry of entries) {
    if (!isMergeKey(entry)) {
      if (!result.has(entry.key.text)) result.set(entry.key.text, explicit.get(entry.key.text) ?? entry)
      continue
    }
    const sources = mergeSources(entry.value)
    if (sources === undefined) {
      found.push(error('DT1002', 'a merge key (<<) needs a mapping, or a list of mappings', { at: entry.value }))
      continue
    }
    for (const from of sources) {
      copied += from.entries.length
      for (const inherited of from.entries) {
        const key = inherited.key.text
        if (!result.has(key)) result.set(key, explicit.get(key) ?? inherited)
      }
    }
  }
  return { entries: [...result.values()], found, copied }
}
