/** The port `SyncedFolders` in memory: no folder can be synchronised, unless a test says how. */
import * as TE from 'fp-ts/lib/TaskEither.js'
import { syncRulesOf } from '../../src/domain/ignore/sync-rules.ts'
import type { SyncedFolder, SyncedFolders } from '../../src/ports/synced-folders.ts'
import type { OpenTree } from '../../src/ports/tree.ts'
import { memoryJournal } from '../support/sync/memory-journal.ts'

export const noSyncedFolders: SyncedFolders = {
  locate: (local) => TE.left(`${local} is not a folder`),
  open: (root) => TE.left(`${root} is not a folder`),
  diary: () => TE.left('nothing answers'),
  serve: () => TE.left('nothing is served'),
  reach: () => TE.left({ _tag: 'Lost', reason: 'nothing answers' }),
}

export const memoryFolder = (tree: OpenTree): SyncedFolder => ({
  tree,
  journal: memoryJournal(),
  rules: syncRulesOf(() => undefined),
  isCaseIgnored: false,
  newId: () => 'id',
  diary: () => '',
  logged: (there) => there,
  close: () => Promise.resolve(),
})
