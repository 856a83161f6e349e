/** A tree of a single file that has another name at this end, as have its conflict copies. */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { TreeLook } from '../../domain/sync/entry.ts'
import type { OpenTree } from '../../ports/tree.ts'

const renaming =
  (from: string, to: string) =>
  (name: string): string =>
    name === from || name.startsWith(`${from}.conflict-`) ? `${to}${name.slice(from.length)}` : name

/** `tree` has the file as `there`; the result has it as `here`. */
export const renamedTree = (tree: OpenTree, here: string, there: string): OpenTree => {
  const [given, seen] = [renaming(here, there), renaming(there, here)]
  const seenLook = (look: TreeLook): TreeLook => ({
    ...look,
    listings: new Map(
      [...look.listings].map(([folder, listing]) => [
        folder,
        { ...listing, entries: new Map([...listing.entries].map(([name, entry]) => [seen(name), entry])) },
      ]),
    ),
  })
  return {
    ...tree,
    look: (folders) => pipe(tree.look(folders), TE.map(seenLook)),
    watch: (onEvent) =>
      tree.watch((event) => onEvent(event._tag === 'Looked' ? { ...event, look: seenLook(event.look) } : event)),
    read: (path, file) => tree.read(given(path), file),
    act: (act, content) => {
      const keep = act.keep === undefined ? {} : { keep: given(act.keep) }
      return tree.act({ ...act, path: given(act.path), ...keep }, content)
    },
    makeAll: (acts, contents) =>
      tree.makeAll(
        acts.map((act) => ({ ...act, path: given(act.path) })),
        contents,
      ),
  }
}
