/** Folders of this machine and of a built agent, kept synchronised as by `up`. */
import * as fs from 'node:fs'
import { join } from 'node:path'
import { nodePlainFolders } from '../../../src/adapters/node-fs/plain-folders.ts'
import { syncedFolders } from '../../../src/adapters/sync/synced-folders.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { type DevSync, startSync } from '../../../src/app/dev/sync.ts'
import { defined } from '../../../src/domain/object/defined.ts'
import type { SyncMode } from '../../../src/domain/sync/act.ts'
import { type StoredStatus, statusIn } from '../../../src/domain/sync/stored-status.ts'
import { memoryHome } from '../../memory/home.ts'
import { memoryMachine } from '../../memory/machine.ts'
import { memoryPrompt } from '../../memory/prompt.ts'
import { line } from '../compose/model.ts'
import { until } from '../process/until.ts'
import { type AgentWorld, withStartedAgent } from './agent.ts'
import { type SessionWorld, sessionWith } from './dev-session.ts'

export type DevSyncWorld = AgentWorld & {
  base: string
  here: string
  there: string
  said: Array<string>
  session: SessionWorld
  begin: (machine?: string, answer?: string, flag?: string) => DevSync
  /** As by `up --reset`. */
  beginAnew: () => DevSync
  /** What `begin` synchronises: at first `here` and `there`. */
  folders: Array<readonly [local: string, remote: string, mode?: SyncMode]>
  syncs: Array<DevSync>
  /** The files in devtool's folder. */
  stored: Map<string, string>
}

type EachOf = { readonly each: (hook: (context: DevSyncWorld) => void | Promise<void>) => void }
type DevSyncSuite = Parameters<typeof withStartedAgent>[0] & { readonly before: EachOf; readonly after: EachOf }

export const inDevSync = (test: DevSyncSuite): void => {
  withStartedAgent(test)
  test.before.each((context) => {
    // Removed with the agent, which may still write while a test ends.
    const base = fs.mkdtempSync(join(context.started.folder, 'dev-sync-'))
    const [here, there] = [join(base, 'here'), join(base, 'there')]
    fs.mkdirSync(here)
    const session = sessionWith(context.started)
    const said: Array<string> = []
    const syncs: Array<DevSync> = []
    const folders: DevSyncWorld['folders'] = [[here, there]]
    const stored = new Map<string, string>()
    const start = (machine: string, answers: ReadonlyMap<string, string>, isReset = false): DevSync => {
      const sync = startSync(
        {
          clock: systemClock,
          home: { ...memoryHome(stored), where: (path) => join(base, machine, path) },
          machine: memoryMachine('ann', 'ann', { host: machine }),
          plainFolders: nodePlainFolders(base, systemClock),
          progress: { tell: () => {}, end: () => {} },
          prompt: memoryPrompt(answers),
          syncedFolders: syncedFolders(systemClock),
        },
        {
          session: session.session,
          dev: {
            name: 'api',
            mode: 'sync',
            folders: folders.map(([local, remote, mode]) => ({
              ...{ at: line(1), path: 'sync', local, remote },
              ...defined({ mode }),
            })),
          },
          record: { mirror: 'devtool-up-deployment-api' },
          mounts: [join(there, 'data'), join(there, 'deep/volume'), base],
          target: { context: 'test', namespace: 'default' },
          isReset,
          mayAsk: () => true,
          say: (text) => void said.push(text),
        },
      )
      syncs.push(sync)
      return sync
    }
    const begin = (machine = 'desk', answer?: string, flag = '--reset'): DevSync =>
      start(machine, new Map(answer === undefined ? [] : [[flag, answer]]))
    const beginAnew = (): DevSync => start('desk', new Map(), true)
    Object.assign(context, { base, here, there, session, said, syncs, stored, begin, beginAnew, folders })
  })
  test.after.each(async ({ session, syncs }) => {
    session.session.end({ _tag: 'Closed', reason: 'done' })
    for (const sync of syncs) await sync.stop()
  })
}

export const textOf = (path: string): string | undefined =>
  fs.existsSync(path) ? fs.readFileSync(path, 'utf8') : undefined

export const storedStatusIn = (stored: ReadonlyMap<string, string>): StoredStatus | undefined => {
  const [, text] = [...stored].find(([path]) => path.endsWith('/status.json')) ?? []
  return text === undefined ? undefined : statusIn(text)
}

export const untilText = (path: string, text: string | undefined): Promise<void> =>
  until(`${path} with ${text}`, () => textOf(path) === text)
