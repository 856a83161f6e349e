/** Which ignore rule decides about a path. */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { textOf } from '../../domain/compose/file-content.ts'
import { explainPath, type SyncRules, syncRulesOf } from '../../domain/ignore/sync-rules.ts'
import { defined } from '../../domain/object/defined.ts'
import type { PathExplanation } from '../../domain/sync/listing.ts'
import { pathIn, placesOf, type StoredFolder } from '../../domain/sync/stored-folder.ts'
import { resolvePath } from '../../domain/text/path.ts'
import type { Ports } from '../../ports/ports.ts'
import { answer, type Result } from '../result.ts'
import { nearFolders } from './kept.ts'

type ExplainPorts = Pick<Ports, 'files' | 'home'>

/** Reads each requested file once, until no more are requested. */
const rulesIn = async ({ files }: ExplainPorts, { local, others = [] }: StoredFolder): Promise<SyncRules> => {
  const texts = new Map<string, string | undefined>()
  for (;;) {
    const wanted = new Set<string>()
    const rules = syncRulesOf((file) => {
      if (!texts.has(file)) wanted.add(file)
      return texts.get(file)
    }, others)
    if (wanted.size === 0) return rules
    for (const file of wanted) {
      const content = await files.read(`${local}/${file}`, { root: local })()
      texts.set(file, content._tag === 'File' ? textOf(content.bytes) : undefined)
    }
  }
}

/** A folder that was never synchronised is judged by the rules that would apply. */
const unsynchronised = (cwd: string): StoredFolder => ({ dev: '', namespace: '', context: '', local: cwd, remote: '' })

export const explainSyncPath =
  (ports: ExplainPorts) =>
  (cwd: string, word: string): Promise<Result<PathExplanation>> => {
    const full = resolvePath(cwd, word)
    return answer(
      pipe(
        nearFolders(ports)(cwd),
        TE.map((near) => near.map(([, folder]) => folder).filter((folder) => (pathIn(folder, full) ?? '') !== '')),
        TE.map(
          (near) =>
            near.find((folder) => folder.file !== undefined && placesOf(folder).local === full) ??
            near.find(({ file }) => file === undefined),
        ),
        TE.match(
          () => unsynchronised(cwd),
          (folder) => folder ?? unsynchronised(cwd),
        ),
        TE.fromTask,
        TE.flatMapTask((folder) => async () => {
          const path = pathIn(folder, full) ?? word
          if (folder.file !== undefined) {
            return { findings: [], value: { dev: folder.dev, folder: folder.local, path, ignored: false } }
          }
          const isFolder = word.endsWith('/') || (await ports.files.kind(full)()) === 'Folder'
          const { folder: above, isIgnored, rule } = explainPath(await rulesIn(ports, folder), path, isFolder)
          const value = { dev: folder.dev, folder: folder.local, path, ignored: isIgnored }
          return { findings: [], value: { ...value, ...defined({ above }), ...rule } }
        }),
      ),
    )
  }
