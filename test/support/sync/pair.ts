/** Two synchronised folders on disk, one of them behind a stream as in a container. */
import { execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { duplexPair } from 'node:stream'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { diskTree } from '../../../src/adapters/sync/disk-tree.ts'
import { keeping } from '../../../src/adapters/sync/kept.ts'
import { remoteTree } from '../../../src/adapters/sync/remote-tree.ts'
import { serveTree } from '../../../src/adapters/sync/serve-tree.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { keepBase } from '../../../src/app/sync/keep-base.ts'
import { synchronise } from '../../../src/app/sync/synchronise.ts'
import type { SyncNotice } from '../../../src/domain/sync/cycle-state.ts'
import type { OpenTree } from '../../../src/ports/tree.ts'
import { rightOf } from '../../contract/tree-world.ts'
import { until } from '../process/until.ts'
import { memoryJournal } from './memory-journal.ts'
import { contentOf } from './real-tree.ts'

export type Pair = {
  readonly here: string
  readonly there: string
  readonly notices: ReadonlyArray<SyncNotice>
  /** Runs a shell script in one of the folders. */
  readonly run: (folder: string, script: string) => void
  /** Waits until both are equal and have this many files and links. Returns their paths. */
  readonly same: (files: number) => Promise<ReadonlyArray<string>>
  readonly end: () => Promise<void>
}

/** `far`: wraps the end in the container. */
export const startPair = async (far = (tree: OpenTree): OpenTree => tree): Promise<Pair> => {
  const base = fs.mkdtempSync(join(tmpdir(), 'pair-'))
  const [here, there] = [join(base, 'here'), join(base, 'there')]
  for (const folder of [here, there]) fs.mkdirSync(folder)
  const notices: Array<SyncNotice> = []
  const isIgnored = (path: string): boolean => path.split('/').includes('node_modules')
  const tree = diskTree({ clock: systemClock, root: here, isIgnored, keep: keeping(join(base, 'kept'), Date.now) })
  const [near, farther] = duplexPair()
  near.once('close', () => farther.destroy())
  void serveTree(systemClock, farther, ({ root }) => far(diskTree({ clock: systemClock, root, isIgnored })), new Map())
  const engine = synchronise(systemClock, {
    here: tree,
    keeper: keepBase(memoryJournal()),
    modeOf: () => 'two-way',
    machine: 'laptop',
    user: 'ann',
    newId: () => 'id',
    whose: () => TE.right('Mine'),
    say: (notice) => notices.push(notice),
  })
  await rightOf(
    engine.link(
      await rightOf(remoteTree(systemClock, near, { root: there, ignores: '', session: 'one', isEager: true })),
    ),
  )
  const filesIn = (folder: string): ReadonlyArray<readonly [string, string]> =>
    [...contentOf(folder)].filter(([path]) => !isIgnored(path))
  return {
    here,
    there,
    notices,
    run: (folder, script) => void execFileSync('sh', ['-ec', script], { cwd: folder, stdio: 'ignore' }),
    same: async (files) => {
      const found = (): ReadonlyArray<string> => {
        const [ours, theirs] = [filesIn(here), filesIn(there)]
        const paths = ours.filter(([, what]) => what !== 'd').map(([path]) => path)
        return JSON.stringify(ours) === JSON.stringify(theirs) && paths.length === files ? paths : []
      }
      await until(`${files} files at both ends`, () =>
        Promise.resolve(engine.state().isComplete && (found().length > 0 || files === 0)),
      )
      return found()
    },
    end: async () => {
      await engine.stop()
      tree.close()
      near.destroy()
      fs.rmSync(base, { recursive: true })
    },
  }
}
