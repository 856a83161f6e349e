/** Pages of both ends of a folder, for `status --info`. */
import { pipe } from 'fp-ts/lib/function.js'
import type { Task } from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
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
    const asked = pipe(
      session.link('bulk'),
      TE.mapLeft(({ reason }) => reason),
      TE.flatMap(({ link }) => syncedFolders.diary(link)),
      TE.getOrElse((reason) => async () => `${unreached}${reason}\n`),
    )
    return (await Promise.race([asked(), clock.sleep(patienceMs)])) ?? unreached
  }

/** Undefined: this machine cannot serve them. */
export const servePages = (
  ports: Pick<Ports, 'clock' | 'syncedFolders'>,
  session: Pick<DevSession, 'link'>,
  { diary, newId }: Pick<SyncedFolder, 'diary' | 'newId'>,
): Task<SyncPages | undefined> => {
  const login = { user: 'devtool', password: newId() }
  const { serve } = ports.syncedFolders
  return pipe(
    serve(login, diary),
    TE.bindTo('here'),
    TE.bind('there', ({ here }) =>
      pipe(
        serve(login, farText(ports, session)),
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
