/** The port `SyncedFolders` in memory: no folder can be synchronised. */
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { SyncedFolders } from '../../src/ports/synced-folders.ts'

export const noSyncedFolders: SyncedFolders = {
  locate: (local) => TE.left(`${local} is not a folder`),
  open: (root) => TE.left(`${root} is not a folder`),
  diary: () => TE.left('nothing answers'),
  serve: () => TE.left('nothing is served'),
  reach: () => TE.left({ _tag: 'Lost', reason: 'nothing answers' }),
}
