/** A folder that was synchronised: with kept copies and a conflict. */
import { type StoredFolder, storedFolderText } from '../../../src/domain/sync/stored-folder.ts'
import { memoryKeptFiles } from '../../memory/kept-files.ts'
import type { MemoryWorld } from '../cluster/memory-ports.ts'

const folder: StoredFolder = { dev: 'api', namespace: 'demo', context: 'test', local: '/home/me/shop', remote: '/app' }

export const keptAtMs = Date.parse('2026-11-22T20:00:00Z')

/** `tree`: files by absolute path. */
export const keptShop = (tree: Map<string, string> = new Map()): Pick<MemoryWorld, 'home' | 'ports'> => {
  const copies = [
    { path: 'old.ts', content: 'older', atMs: keptAtMs - 60_000 },
    { path: 'old.ts', content: 'old', atMs: keptAtMs },
    { path: 'src/main.ts', content: 'main', atMs: keptAtMs + 1000 },
  ]
  tree.set('/home/me/shop/src/main.ts', 'changed').set('/home/me/shop/src/a.ts.conflict-0a1b2c', 'theirs')
  return {
    home: new Map([['sync/1/folder.json', storedFolderText(folder)]]),
    ports: { keptFiles: memoryKeptFiles(new Map([['/home/dev/.devtool/sync/1/kept', copies]]), tree) },
  }
}
