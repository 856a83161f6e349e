/** The resources of an included project, added to those of the file that includes it. */
import { error } from '../diagnostic/diagnostic.ts'
import { isSpent, spend } from '../yaml/budget.ts'
import { type Entry, isNull, type Mapping } from '../yaml/node.ts'
import { isSame } from '../yaml/same.ts'
import type { Assembling } from './assembling.ts'
import { mergeNodes } from './merge.ts'

/** These concern the file that they are in. An unknown key is added, and reported like one of the file itself. */
const ofFile: ReadonlySet<string> = new Set(['version', 'name', 'include'])

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
