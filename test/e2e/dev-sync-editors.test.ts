/** Files that editors save, at either end of a development container. */
import { execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import type { Space } from '../support/e2e/e2e.ts'
import { scenarios } from '../support/e2e/scenarios.ts'
import { type Synced, syncedSpace } from '../support/e2e/synced.ts'
import { until } from '../support/process/until.ts'

/** How they save, in words of a shell: in place, over a backup, by a new file, and with a lock beside it. */
const saves: ReadonlyArray<readonly [string, string]> = [
  ['in place', 'printf %s "$1" > f.txt'],
  ['cut, then written', ': > f.txt; printf %s "$1" >> f.txt'],
  ['a new file over the old one', 'printf %s "$1" > .f.txt.tmp && mv .f.txt.tmp f.txt'],
  ['the old one as a backup (vi)', 'mv f.txt f.txt~ && printf %s "$1" > f.txt && rm f.txt~'],
  ['a copy as a backup', 'cp f.txt f.txt.bak && printf %s "$1" > f.txt && rm f.txt.bak'],
  [
    'two names (safe write of an IDE)',
    'printf %s "$1" > f___jb_tmp___ && mv f.txt f___jb_old___ && mv f___jb_tmp___ f.txt && rm f___jb_old___',
  ],
]

/** An editor itself, with each of its ways of keeping a copy of what was there. */
const edits: ReadonlyArray<readonly [string, string]> = ['no', 'yes', 'auto'].map((copies) => [
  `vim with backupcopy=${copies}`,
  `vim.tiny -es -u NONE -c 'set backup backupskip= backupcopy=${copies}' -c "%s/.*/$1/" -c wq f.txt && rm f.txt~`,
])

const saved = (space: Space): Promise<void> => {
  const use = async ({ inPod, same }: Synced): Promise<void> => {
    const app = join(space.folder, 'app')
    for (const [how, script] of saves) {
      execFileSync('sh', ['-c', script, 'sh', `${how}, here`], { cwd: app })
      await same('f.txt', `${how}, here`)
      await inPod(`set -- "${how}, there"; ${script}`)
      await same('f.txt', `${how}, there`)
    }
    for (const [how, script] of edits) {
      execFileSync('sh', ['-c', script, 'sh', `${how}, here`], { cwd: app })
      await same('f.txt', `${how}, here\n`)
      await inPod(`set -- "${how}, there"; ${script}`)
      await same('f.txt', `${how}, there\n`)
    }
    const names = (listed: ReadonlyArray<string>): string =>
      listed.filter((name) => !name.startsWith('.devtool')).join()
    await until('nothing else is here', () => Promise.resolve(names(fs.readdirSync(app)) === 'f.txt'))
    await until('nothing else is there', async () => names((await inPod('ls -A')).trim().split('\n')) === 'f.txt')
  }
  return syncedSpace(space, { 'f.txt': 'first' }, use, { container: { image: 'test/vim:1' } })
}

const test = suite('dev-sync-editors')
await scenarios(test, [
  {
    title: 'whatever an editor does to save a file, the other end has that file and no other',
    space: 'sync-editors',
    options: { env: { DEVTOOL_AGENT_IMAGE: 'node:22.23-bookworm-slim' } },
    run: saved,
  },
])
test.run()
