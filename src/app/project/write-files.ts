/**
 * Writes manifests into a folder, all or nothing: files that are not ours are never changed, and a failed write is
 * undone.
 */

import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import { defined } from '../../domain/object/defined.ts'
import { type FileChange, type FolderEntry, fileChanges, listedIn } from '../../domain/plan/file-changes.ts'
import { LIST_FILE } from '../../domain/plan/file-list.ts'
import { manifestFiles } from '../../domain/plan/manifest-files.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import type { Ports } from '../../ports/ports.ts'
import { withResource } from '../concurrency/resource.ts'

type FolderPorts = Pick<Ports, 'plainFolders'>
type FilesTask = TE.TaskEither<ReadonlyArray<Diagnostic>, ReadonlyArray<string>>

export type FolderFound = { readonly list: FolderEntry; readonly found: ReadonlyMap<string, FolderEntry> }

/** The folder's entries under the names in its list, and under these. */
export const lookInto =
  ({ plainFolders }: FolderPorts) =>
  (folder: string, names: ReadonlyArray<string>): TE.TaskEither<Diagnostic, FolderFound> => {
    const entryOf = (name: string): TE.TaskEither<Diagnostic, readonly [string, FolderEntry]> =>
      TE.map((entry: FolderEntry) => [name, entry] as const)(plainFolders.look(folder, name))
    return pipe(
      plainFolders.look(folder, LIST_FILE),
      TE.bindTo('list'),
      TE.bind('listed', ({ list }) => TE.fromEither(listedIn(folder, list))),
      TE.bind('entries', ({ listed }) =>
        TE.traverseSeqArray(entryOf)([...new Set([...listed.map(({ name }) => name), ...names])]),
      ),
      TE.map(({ entries, list }) => ({ list, found: new Map(entries) })),
    )
  }

const make =
  ({ plainFolders }: FolderPorts, folder: string) =>
  ({ after, isPrivate = false, name }: FileChange): TE.TaskEither<Diagnostic, void> =>
    after === undefined ? plainFolders.remove(folder, name) : plainFolders.put(folder, name, after, { isPrivate })

const undone = ({ after, before, ...change }: FileChange): FileChange => ({
  ...change,
  ...defined({ after: before, before: after }),
})

const makeAll =
  (ports: FolderPorts, folder: string, changes: ReadonlyArray<FileChange>): FilesTask =>
  async () => {
    const run = make(ports, folder)
    for (const [index, change] of changes.entries()) {
      const done = await run(change)()
      if (E.isRight(done)) continue
      const found = [done.left]
      for (const one of changes.slice(0, index).toReversed()) {
        const back = await run(undone(one))()
        if (E.isLeft(back)) found.push(back.left)
      }
      return E.left(found)
    }
    return E.right(changes.map(({ name }) => name).filter((name) => name !== LIST_FILE))
  }

const filing = (ports: FolderPorts, folder: string, plan: Plan, showSecrets: boolean): FilesTask => {
  const files = manifestFiles(plan, showSecrets)
  const names = files.map(({ name }) => name)
  return pipe(
    lookInto(ports)(folder, names),
    TE.mapLeft((failure): ReadonlyArray<Diagnostic> => [failure]),
    TE.flatMap((looked) => TE.fromEither(fileChanges(folder, files, looked))),
    TE.flatMap((changes) => makeAll(ports, folder, changes)),
  )
}

/** The names that were written or deleted; none when nothing had changed. Only one process at a time may do this. */
export const fileManifests =
  (ports: FolderPorts) =>
  (folder: string, plan: Plan, showSecrets: boolean): FilesTask =>
    withResource(
      pipe(
        ports.plainFolders.lock(folder),
        TE.mapLeft((busy): ReadonlyArray<Diagnostic> => [busy]),
      ),
      () => filing(ports, folder, plan, showSecrets),
      ({ release }) => T.fromIO(release),
    )
