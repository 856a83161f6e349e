/** Synchronised folders at the limits of either end: deleted trees, too few watches. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { program } from '../support/e2e/command.ts'
import type { Space } from '../support/e2e/e2e.ts'
import { type Scenario, scenarios } from '../support/e2e/scenarios.ts'
import { syncedSpace } from '../support/e2e/synced.ts'
import { until } from '../support/until.ts'

const many = 5000

const deletedTree = (space: Space): Promise<void> => {
  const files = Array.from({ length: many }, (_, index) => [`many/d${index % 50}/f${index}`, `${index}`] as const)
  return syncedSpace(space, { 'a.txt': 'one', ...Object.fromEntries(files) }, async ({ inPod, same, up }) => {
    await same('many/d49/f4999', '4999')
    const filesHere = (): number =>
      fs
        .readdirSync(join(space.folder, 'app'), { recursive: true, withFileTypes: true })
        .filter((one) => one.isFile() && /^f\d+$/.test(one.name)).length
    await inPod('rm -rf many')
    const asked = async (): Promise<boolean> => /"question"/.test((await space.must('status', '-o', 'json')).stdout)
    await up.says(`${many} of ${many + 1} files were deleted in the container`)
    await until('the question in status', asked)
    assert.is(filesHere(), many)
    await space.must('sync', 'refuse', 'api')
    const filesThere = async (): Promise<string> => (await inPod('find many -type f | wc -l')).trim()
    await until('all files there again', async () => (await filesThere().catch(() => '')) === `${many}`)
    fs.rmSync(join(space.folder, 'app/many'), { recursive: true })
    await up.says(`${many} of ${many + 1} files were deleted here`)
    await until('the question in status', asked)
    assert.is(await filesThere(), `${many}`)
    await space.must('sync', 'allow', 'api')
    await same('many/d0/f0', undefined)
    await until('the folder is gone there', async () => (await inPod('ls')).trim() === 'a.txt')
  })
}

const fewWatches = async (space: Space): Promise<void> => {
  await syncedSpace(space, { 'd0/a.txt': 'one' }, ({ same }) => same('d0/a.txt', 'one'))
  for (let index = 1; index < 30; index += 1) space.write(`app/d${index}/a.txt`, 'one')
  const env = { ...process.env, HOME: join(space.folder, '..'), DEVTOOL_AGENT_IMAGE: 'node:22.23-bookworm-slim' }
  const limited = 'echo 20 > /proc/sys/user/max_inotify_watches; exec "$@"'
  const words = ['up', '--yes', '--namespace', space.namespace, '--command', 'echo ready; sleep 1000']
  const up = spawn('unshare', ['-Ur', 'sh', '-c', limited, 'sh', process.execPath, program, ...words], {
    cwd: space.folder,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = once(up, 'close')
  let said = ''
  up.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  try {
    await until('it is said', () => {
      if (up.exitCode !== null) throw new Error(said)
      return /folders are looked at every two seconds here/.test(said)
    })
    const there = async (): Promise<string> => (await space.run('exec', '--', 'cat', '/work/d29/a.txt')).stdout
    space.write('app/d29/a.txt', 'two')
    await until('a change in a folder that is not watched', async () => (await there()) === 'two')
  } finally {
    up.kill('SIGINT')
    await ended
  }
}

const options = { env: { DEVTOOL_AGENT_IMAGE: 'node:22.23-bookworm-slim' } }

const all: ReadonlyArray<Scenario> = [
  {
    title: 'a tree of 5,000 files that is deleted at one end is asked about, and the answer counts at once for all',
    space: 'dev-sync-rm',
    options,
    run: deletedTree,
  },
  {
    title: 'where the kernel watches no more folders, the others are polled, which is said',
    space: 'dev-sync-watches',
    options,
    run: fewWatches,
  },
]

const test = suite('dev-sync-limits')
await scenarios(test, all)
test.run()
