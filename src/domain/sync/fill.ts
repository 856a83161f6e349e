/** The first transfer into a new folder there: with no base yet, missing files can be sent in large parts. */
import type { FillAct } from './act.ts'
import { type BaseChange, emptyBase, type SyncBase, withChanges } from './base.ts'
import type { SeenEntry, SyncTree } from './entry.ts'
import { childOf, leadsOut } from './path.ts'

/** Larger files are sent one by one. */
export const largestFilled = 512 * 1024

const actFor = (path: string, entry: SeenEntry): FillAct | undefined => {
  const what = { end: 'there', path, expect: undefined } as const
  if (entry._tag === 'Folder') return { ...what, _tag: 'MakeFolder' }
  if (entry._tag === 'File') return entry.size > largestFilled ? undefined : { ...what, _tag: 'Write', file: entry }
  const isLink = entry._tag === 'Link' && !leadsOut(path, entry.target)
  return isLink ? { ...what, _tag: 'MakeLink', target: entry.target } : undefined
}

/**
 * The base for a folder there that was never synchronised. Its files come from the image, so replacing them keeps no
 * copies, as long as they are unchanged.
 */
export const baseOfImage = (here: SyncTree, there: SyncTree): SyncBase => {
  const found: Array<BaseChange> = []
  for (const [folder, { entries }] of there) {
    for (const [name, entry] of entries) {
      const ours = here.get(folder)?.entries.get(name)?._tag
      if (entry._tag !== 'File' && entry._tag !== 'Link') continue
      if (ours === 'File' || ours === 'Folder' || ours === 'Link') found.push([childOf(folder, name), entry])
    }
  }
  return withChanges(emptyBase, found)
}

/**
 * Folders come before their entries. Paths that were agreed on before are left out, since they may have been deleted
 * there.
 */
export const fillOf = (here: SyncTree, there: SyncTree, known = emptyBase): ReadonlyArray<FillAct> => {
  const acts: Array<FillAct> = []
  const waiting = ['']
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for (const [name, entry] of here.get(folder)?.entries ?? []) {
      const path = childOf(folder, name)
      const found = there.get(folder)?.entries.get(name)
      if (entry._tag === 'Folder' && (found === undefined || found._tag === 'Folder')) waiting.push(path)
      const isNew = found === undefined && known.get(folder)?.has(name) !== true
      const act = isNew ? actFor(path, entry) : undefined
      if (act !== undefined) acts.push(act)
    }
  }
  return acts
}

/** The base after these entries were created. */
export const filledBase = (known: SyncBase, made: ReadonlyArray<FillAct>): SyncBase =>
  withChanges(
    known,
    made.flatMap((act): ReadonlyArray<BaseChange> => {
      if (act._tag === 'Write') return [[act.path, act.file]]
      return act._tag === 'MakeLink' ? [[act.path, { _tag: 'Link', target: act.target }]] : []
    }),
  )

/** In parts that are each sent at once. */
export function* partsOf(acts: ReadonlyArray<FillAct>): Generator<ReadonlyArray<FillAct>, void> {
  const mostActs = 512
  let part: Array<FillAct> = []
  let bytes = 0
  for (const act of acts) {
    const size = act._tag === 'Write' ? act.file.size : 0
    if (part.length === mostActs || bytes + size > largestFilled) {
      yield part
      part = []
      bytes = 0
    }
    part.push(act)
    bytes += size
  }
  if (part.length > 0) yield part
}
