/** The resources of an included project, added to those of the file that includes it. */
import { error } from '../diagnostic/diagnostic.ts'
import { isSpent, spend } from '../yaml/budget.ts'
import { type Entry, isNull, type Mapping, type Node } from '../yaml/node.ts'
import type { Assembling } from './assembling.ts'
import { mergeNodes } from './merge.ts'

/** These concern the file that they are in. An unknown key is added, and reported like one of the file itself. */
const ofFile: ReadonlySet<string> = new Set(['version', 'name', 'include'])

const isSame = (a: Node, b: Node): boolean => {
  if (a === b) return true
  if (a._tag === 'Scalar') return b._tag === 'Scalar' && a.text === b.text
  if (a._tag === 'Sequence') {
    return b._tag === 'Sequence' && a.items.length === b.items.length && a.items.every((x, i) => sameAt(x, b.items[i]))
  }
  if (b._tag !== 'Mapping' || a.entries.length !== b.entries.length) return false
  const values = new Map(b.entries.map(({ key, value }) => [key.text, value]))
  return a.entries.every(({ key, value }) => sameAt(value, values.get(key.text)))
}

const sameAt = (a: Node, b: Node | undefined): boolean => b !== undefined && isSame(a, b)

/** Adds the resources of an included project; the same name with another content is DT1017. */
export const importSections = ({ files: { budget }, found }: Assembling, into: Mapping, included: Mapping): Mapping => {
  const merged = new Map(into.entries.map((entry) => [entry.key.text, entry]))
  for (const section of included.entries) {
    const key = section.key.text
    const own = merged.get(key)
    if (key === 'endpoints') {
      merged.set(key, own === undefined ? section : { ...own, value: mergeNodes(key, section.value, own.value) })
      continue
    }
    if (ofFile.has(key) || key.startsWith('x-')) continue
    if (own === undefined || own.value._tag !== 'Mapping' || section.value._tag !== 'Mapping') {
      if (own === undefined || isNull(own.value)) merged.set(key, section)
      continue
    }
    const fault = spend(budget, own.value.entries.length, section.key)
    if (fault !== undefined) found.push(fault)
    if (isSpent(budget)) return into
    const mine = new Map(own.value.entries.map((entry) => [entry.key.text, entry]))
    const added: Array<Entry> = []
    for (const entry of section.value.entries) {
      const there = mine.get(entry.key.text)
      if (there === undefined) added.push(entry)
      else if (!isSame(there.value, entry.value)) {
        found.push(
          error('DT1017', `${key}.${entry.key.text} is defined here and in an included file`, {
            at: there.key,
            help: 'rename one of them, or change it in an override file',
            related: [{ at: entry.key, message: 'included from here' }],
          }),
        )
      }
    }
    merged.set(key, { ...own, value: { ...own.value, entries: [...added, ...own.value.entries] } })
  }
  return { ...into, entries: [...merged.values()] }
}
