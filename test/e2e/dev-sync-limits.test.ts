/** Synchronised folders where the kernel watches too few of them, or stores no more files. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { program } from '../support/e2e/command.ts'
import type { Space } from '../support/e2e/e2e.ts'
import { type Scenario, scenarios } from '../support/e2e/scenarios.ts'
import { makeSynced, syncedSpace } from '../support/e2e/synced.ts'
import { until } from '../support/process/until.ts'

type Limited = {
  readonly pid: number
  readonly says: (text: RegExp) => Promise<void>
  readonly end: () => Promise<void>
}

/** `up` in namespaces of its own, where a script has set limits. */
const upWithin = (space: Space, script: string): Limited => {
  const env = { ...process.env, HOME: join(space.folder, '..'), DEVTOOL_AGENT_IMAGE: 'node:22.23-bookworm-slim' }
  const words = ['up', '--yes', '--namespace', space.namespace, '--command', 'echo ready; sleep 1000']
  const up = spawn('unshare', ['-Urm', 'sh', '-c', `${script}; exec "$@"`, 'sh', process.execPath, program, ...words], {
    cwd: space.folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(up, 'close')
  let said = ''
  for (const from of [up.stdout, up.stderr]) {
    from.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
  }
  return {
    pid: up.pid ?? 0,
    says: (text) =>
      until(`it says ${text.source}`, () => {
        if (up.exitCode !== null) throw new Error(said)
        return text.test(said)
      }),
    end: async () => {
      up.kill('SIGINT')
      await ended
    },
  }
}

const fewWatches = async (space: Space): Promise<void> => {
  await syncedSpace(space, { 'd0/a.txt': 'one' }, ({ same }) => same('d0/a.txt', 'one'))
  for (let index = 1; index < 30; index += 1) space.write(`app/d${index}/a.txt`, 'one')
  const up = upWithin(space, 'echo 20 > /proc/sys/user/max_inotify_watches')
  try {
    await up.says(/folders are looked at every two seconds here/)
    const there = async (): Promise<string> => (await space.run('exec', '--', 'cat', '/work/d29/a.txt')).stdout
    space.write('app/d29/a.txt', 'two')
    await until('a change in a folder that is not watched', async () => (await there()) === 'two')
  } finally {
    await up.end()
  }
}

/** Of a file system of 30 files in all. */
const fewFiles = async (space: Space): Promise<void> => {
  await makeSynced(space, { 'a.txt': 'one' })
  const old = Array.from({ length: 15 }, (_, index) => `old${index}`)
  const up = upWithin(
    space,
    `mount -t tmpfs -o nr_inodes=30 none app; echo '*.part' > app/.devtoolignore; for n in ${old.join(' ')}; do echo $n > app/$n; done`,
  )
  // The folder as `up` sees it.
  const app = join(`/proc/${up.pid}/root`, space.folder, 'app')
  const text = (index: number): string => `new ${index} `.repeat(500)
  const arrived = (): ReadonlyArray<string> => fs.readdirSync(app).filter((name) => /^new\d+$/.test(name))
  const areWhole = (): void => {
    for (const name of arrived()) assert.is(fs.readFileSync(join(app, name), 'utf8'), text(Number(name.slice(3))))
  }
  try {
    await up.says(/ready/)
    const there = async (script: string): Promise<string> =>
      (await space.must('exec', '--', 'sh', '-c', `cd /work && ${script}`)).stdout
    await until('the old files are there', async () => (await there('ls | grep -c old; true')) === '15\n')
    // Each is whole as soon as it has its name.
    const write =
      'for n in $(seq 0 19); do for i in $(seq 500); do printf "new $n "; done > n.part; mv n.part new$n; done'
    await there(write)
    await up.says(/no space left on the disk/)
    assert.ok(arrived().length < 20)
    areWhole()
    assert.is(
      await there('cat new* | wc -c'),
      `${Array.from({ length: 20 }, (_, index) => text(index)).join('').length}\n`,
    )
    for (const name of old) fs.rmSync(join(app, name))
    await until('all files are here', () => Promise.resolve(arrived().length === 20))
    areWhole()
    await until('the old files are gone there', async () => (await there('ls | grep -c old; true')) === '0\n')
  } finally {
    await up.end()
  }
}

const options = { env: { DEVTOOL_AGENT_IMAGE: 'node:22.23-bookworm-slim' } }

const all: ReadonlyArray<Scenario> = [
  {
    title: 'when the kernel watches no more folders, the others are polled, and that is reported',
    space: 'dev-sync-watches',
    options,
    run: fewWatches,
  },
  {
    title: 'a full local disk is reported, no file is truncated, and all files arrive once there is space',
    space: 'dev-sync-inodes',
    options,
    run: fewFiles,
  },
]

const test = suite('dev-sync-limits')
await scenarios(test, all)
test.run()
