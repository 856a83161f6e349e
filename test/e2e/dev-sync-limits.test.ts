/** Synchronised folders where the kernel watches too few of them. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { suite } from 'uvu'
import { program } from '../support/e2e/command.ts'
import type { Space } from '../support/e2e/e2e.ts'
import { type Scenario, scenarios } from '../support/e2e/scenarios.ts'
import { syncedSpace } from '../support/e2e/synced.ts'
import { until } from '../support/process/until.ts'

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
    title: 'where the kernel watches no more folders, the others are polled, which is said',
    space: 'dev-sync-watches',
    options,
    run: fewWatches,
  },
]

const test = suite('dev-sync-limits')
await scenarios(test, all)
test.run()
