/** Copies kept by synchronisation, and conflicts. They require neither a cluster nor a running `up`. */
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import { conflictOf } from '../../domain/sync/conflict-name.ts'
import { type KeptCopy, keptBelow, newestKept } from '../../domain/sync/kept.ts'
import type { ConflictList, KeptList, RestoredFiles } from '../../domain/sync/listing.ts'
import { isNear, pathIn, placesOf, type StoredFolder, storedFolderIn } from '../../domain/sync/stored-folder.ts'
import { showMoment } from '../../domain/text/moment.ts'
import { resolvePath } from '../../domain/text/path.ts'
import type { Ports } from '../../ports/ports.ts'
import { answer, type Result } from '../result.ts'

type KeptPorts = Pick<Ports, 'home' | 'keptFiles'>

/** `store`: where its copies are. */
type Kept = { readonly folder: StoredFolder; readonly store: string; readonly copies: ReadonlyArray<KeptCopy> }

export const storedFolders = ({ home }: Pick<Ports, 'home'>): T.Task<ReadonlyArray<readonly [string, StoredFolder]>> =>
  pipe(
    home.list('sync'),
    T.flatMap(
      T.traverseArray((key) =>
        pipe(
          home.read(`sync/${key}/folder.json`),
          TE.match(
            () => undefined,
            (text) => (text === undefined ? undefined : storedFolderIn(text)),
          ),
          T.map((folder) => (folder === undefined ? undefined : ([key, folder] as const))),
        ),
      ),
    ),
    T.map(RA.filterMap(O.fromNullable)),
  )

const noneHere = (cwd: string, all: ReadonlyArray<StoredFolder>): Diagnostic =>
  error('DT5135', `no folder at, above or below ${cwd} was synchronised from this machine`, {
    help:
      all.length === 0
        ? '`devtool up` synchronises the folders that its section names'
        : `synchronised were ${[...new Set(all.map(({ local }) => local))].join(', ')}`,
  })

/** Fails with DT5135. */
export const nearFolders =
  (ports: Pick<Ports, 'home'>) =>
  (cwd: string): TE.TaskEither<Diagnostic, ReadonlyArray<readonly [string, StoredFolder]>> =>
    pipe(
      TE.fromTask(storedFolders(ports)),
      TE.flatMap((all) => {
        const near = all.filter(([, folder]) => isNear(folder, cwd))
        return near.length > 0
          ? TE.right(near)
          : TE.left(
              noneHere(
                cwd,
                all.map(([, folder]) => folder),
              ),
            )
      }),
    )

const keptNear =
  ({ home, keptFiles }: KeptPorts) =>
  (cwd: string): TE.TaskEither<Diagnostic, ReadonlyArray<Kept>> =>
    pipe(
      nearFolders({ home })(cwd),
      TE.flatMapTask(
        T.traverseArray(([key, folder]) => {
          const store = home.where(`sync/${key}/kept`)
          return pipe(
            keptFiles.list(store),
            T.map((copies) => ({ folder, store, copies })),
          )
        }),
      ),
    )

const whenOf = (atMs: number): string =>
  showMoment({ seconds: Math.floor(atMs / 1000), nanos: (atMs % 1000) * 1_000_000 })

/** `path`: only copies of files at or below it. */
export const listKeptFiles =
  (ports: KeptPorts) =>
  (cwd: string, path = '.'): Promise<Result<KeptList>> =>
    answer(
      pipe(
        keptNear(ports)(cwd),
        TE.map((all) => {
          const kept = all.flatMap(({ copies, folder }) => {
            const below = pathIn(folder, resolvePath(cwd, path))
            return below === undefined ? [] : keptBelow(copies, below).map((copy) => ({ folder, copy }))
          })
          const newest = kept.toSorted((a, b) => b.copy.atMs - a.copy.atMs)
          return {
            findings: [],
            value: {
              kept: newest.map(({ copy: { atMs, name, path: file, size }, folder: { dev, local } }) => ({
                ...{ dev, folder: local, path: file, name, when: whenOf(atMs), size },
              })),
            },
          }
        }),
      ),
    )

type ChosenCopy = { readonly kept: Kept; readonly copy: KeptCopy }

/** The newest copy of each file, whichever synchronisation kept it. */
const wantedOf = (all: ReadonlyArray<Kept>, cwd: string, word: string): ReadonlyArray<ChosenCopy> => {
  const found = new Map<string, ChosenCopy>()
  for (const kept of all) {
    const below = pathIn(kept.folder, resolvePath(cwd, word))
    const isNamed = kept.copies.some(({ name }) => name === word)
    if (below === undefined && !isNamed) continue
    for (const copy of newestKept(kept.copies, isNamed ? word : (below ?? ''))) {
      const full = `${kept.folder.local}/${copy.path}`
      const before = found.get(full)
      if (before === undefined || before.copy.atMs < copy.atMs) found.set(full, { kept, copy })
    }
  }
  return [...found.values()]
}

const noCopy = (word: string): Diagnostic =>
  error('DT5136', `no copy of ${word} is kept`, {
    help: '`devtool sync kept` lists those of this folder; a copy is kept for 7 days, as long as all take less than 1 GiB',
  })

const occupied = (left: RestoredFiles['left']): Diagnostic => {
  const [first] = left
  const what = left.length === 1 ? `${first?.path} has another content` : `${left.length} files have other contents`
  return error('DT5137', `nothing was restored: ${what}`, {
    help: '`--overwrite` keeps a copy of what is there, and replaces it',
  })
}

/** `words`: paths, or names of copies. */
export const restoreKeptFiles =
  (ports: KeptPorts) =>
  (cwd: string, words: ReadonlyArray<string>, isReplacing: boolean): Promise<Result<RestoredFiles>> =>
    answer(
      pipe(
        keptNear(ports)(cwd),
        TE.flatMap((all) => {
          const missing = words.filter((word) => wantedOf(all, cwd, word).length === 0)
          const [first] = missing
          return first === undefined
            ? TE.right(words.flatMap((word) => wantedOf(all, cwd, word)))
            : TE.left(noCopy(first))
        }),
        TE.flatMap(
          TE.traverseSeqArray(({ copy, kept: { folder, store } }) =>
            pipe(
              ports.keptFiles.restore({ store, local: folder.local }, copy, isReplacing),
              TE.bimap(
                (reason) => error('DT5138', `${copy.path} cannot be restored: ${reason}`),
                (given) => ({
                  given,
                  file: { dev: folder.dev, folder: folder.local, path: copy.path, name: copy.name },
                }),
              ),
            ),
          ),
        ),
        TE.map((done) => {
          const of = (wanted: string): RestoredFiles['left'] =>
            done.filter(({ given }) => given === wanted).map(({ file }) => file)
          const value = { restored: of('Restored'), same: of('Same'), left: of('Occupied') }
          const isNothing = value.left.length > 0 && value.restored.length === 0
          return { findings: isNothing ? [occupied(value.left)] : [], value }
        }),
      ),
    )

/** A conflict is resolved by deleting its copy. */
export const listConflicts =
  (ports: KeptPorts) =>
  (cwd: string): Promise<Result<ConflictList>> =>
    answer(
      pipe(
        nearFolders(ports)(cwd),
        TE.map((near) => [...new Map(near.map(([, folder]) => [placesOf(folder).local, folder])).values()]),
        TE.flatMap(
          TE.traverseArray(({ dev, file, local }) =>
            pipe(
              ports.keptFiles.conflicts(local),
              TE.bimap(
                (reason) => error('DT5139', `${local} cannot be listed: ${reason}`),
                (copies) =>
                  copies
                    .map((copy) => ({ dev, folder: local, path: conflictOf(copy) ?? copy, copy }))
                    .filter(({ path }) => file === undefined || path === file.here),
              ),
            ),
          ),
        ),
        TE.map((found) => {
          // One folder may be inside another, so each conflict is listed once.
          const once = new Map(found.flat().map((one) => [`${one.folder}/${one.copy}`, one]))
          return { findings: [], value: { conflicts: [...once.values()] } }
        }),
      ),
    )
