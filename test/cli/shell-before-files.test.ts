/** When the program of a development container starts whose files take long to arrive. */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { main } from '../../src/cli/main.ts'
import type { Ports } from '../../src/ports/ports.ts'
import { memoryConsole } from '../memory/console.ts'
import { worldOf } from '../support/cli/cli.ts'
import { memoryAgent, startMirrors } from '../support/flags/agent.ts'

const compose = 'name: shop\nservices: {api: {image: nginx, volumes: ["./src:/app"]}}\n'

/** What happened, in order, when `up` ran in a terminal. */
const upWith = async (...args: ReadonlyArray<string>) => {
  const happened: Array<unknown> = []
  const note = (what: string): void => void happened.push(what)
  const agent = memoryAgent([], async () => note('the program runs'))
  let clock: Ports['clock'] | undefined
  const syncedFolders: Ports['syncedFolders'] = {
    ...agent.syncedFolders,
    reach: (...asked) =>
      pipe(
        TE.fromTask(async () => clock?.sleep(10_000)),
        TE.tapIO(() => () => note('the files arrive')),
        TE.flatMap(() => agent.syncedFolders.reach(...asked)),
      ),
  }
  const { err, ports, world } = worldOf({
    files: { 'compose.yaml': compose, 'src/main.ts': '1' },
    memory: {
      namespace: 'demo',
      ports: { ...agent, syncedFolders, console: memoryConsole({ columns: 80, rows: 24, type: 'xterm' }) },
    },
  })
  clock = ports.clock
  startMirrors(ports.cluster, [])
  assert.is(await main(['deploy', '--yes'], world), 0, err())
  assert.is(await main(['up', 'api', '--yes', '--reset', ...args], world), 0, err())
  return { happened, said: err() }
}

test('a shell starts before all files are there, and that is said', async () => {
  const { happened, said } = await upWith()
  assert.is(happened[0], 'the program runs')
  assert.match(said, 'api: files are still being sent')
})

test('a command starts when all files are there', async () => {
  const { happened, said } = await upWith('--command', 'npm start')
  assert.equal(happened, ['the files arrive', 'the program runs'])
  assert.not.match(said, 'still being sent')
})

test.run()
