/** Pages of both ends of a folder, for `status --info`. */
import { pipe } from 'fp-ts/lib/function.js'
import type { Task } from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { conflictOf } from '../../domain/sync/conflict-name.ts'
import type { CycleState } from '../../domain/sync/cycle-state.ts'
import type { SyncTree } from '../../domain/sync/entry.ts'
import type { StoredPages } from '../../domain/sync/stored-status.ts'
import type { Ports } from '../../ports/ports.ts'
import type { SyncedFolder } from '../../ports/synced-folders.ts'
import type { DevSession } from './session.ts'

type SyncPages = { readonly pages: StoredPages; readonly close: () => void }

/** How long a page waits for the container. */
const patienceMs = 5000

const unreached = 'the container cannot be reached\n'

const farText =
  ({ clock, syncedFolders }: Pick<Ports, 'clock' | 'syncedFolders'>, session: Pick<DevSession, 'link'>): Task<string> =>
  async () => {
    const over = new AbortController()
    const asked = pipe(
      session.link('bulk'),
      TE.mapLeft(({ reason }) => reason),
      TE.flatMap(({ link }) => syncedFolders.diary(link, over.signal)),
      TE.getOrElse((reason) => async () => `${unreached}${reason}\n`),
    )
    const found = await Promise.race([asked(), clock.sleep(patienceMs, over.signal)])
    over.abort()
    return found ?? unreached
  }

const countText = (tree: SyncTree): string => {
  const counts = new Map<string, number>()
  let conflicts = 0
  for (const { entries } of tree.values()) {
    for (const [name, { _tag }] of entries) {
      counts.set(_tag, (counts.get(_tag) ?? 0) + 1)
      if (conflictOf(name) !== undefined) conflicts += 1
    }
  }
  const kinds = [...counts].map(([kind, count]) => `${kind.toLowerCase()}: ${count}`)
  return [...kinds, `conflict copies: ${conflicts}`].join(', ')
}

/** `trees`: the entries of both ends, as far as they are known. Undefined: this machine cannot serve the pages. */
export const servePages = (
  ports: Pick<Ports, 'clock' | 'syncedFolders'>,
  session: Pick<DevSession, 'link'>,
  { diary, newId }: Pick<SyncedFolder, 'diary' | 'newId'>,
  trees: () => CycleState['trees'],
): Task<SyncPages | undefined> => {
  const login = { user: 'devtool', password: newId() }
  const { serve } = ports.syncedFolders
  const far = farText(ports, session)
  return pipe(
    serve(login, async () => `${countText(trees().here)}\n${diary()}`),
    TE.bindTo('here'),
    TE.bind('there', ({ here }) =>
      pipe(
        serve(login, async () => `${countText(trees().there)}\n${await far()}`),
        TE.tapError(() => TE.fromIO(here.close)),
      ),
    ),
    TE.match(
      () => undefined,
      ({ here, there }) => ({
        pages: { ...login, here: here.url, there: there.url },
        close: () => {
          here.close()
          there.close()
        },
      }),
    ),
  )
}
