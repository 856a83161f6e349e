/** The command of a session in the background, in a terminal and out of it, on the real cluster. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Space } from '../support/e2e/e2e.ts'
import { scenarios } from '../support/e2e/scenarios.ts'
import { sleeping } from '../support/e2e/sleeping.ts'
import { until } from '../support/process/until.ts'

const manifest = `dev:
  api:
    workdir: /tmp
    persistentVolume: { enabled: false }
    command: echo begun; read line; echo "got $line"; read more; exit 3
`

const sockets = ({ folder }: Space): ReadonlyArray<string> =>
  readdirSync(join(folder, '../.devtool/up')).filter((name) => name.endsWith('.sock'))

const attached = async (space: Space): Promise<void> => {
  space.write('devtool.yml', manifest)
  await space.create('Deployment', sleeping({}))
  await space.must('up', '--yes', '--detach')
  assert.is(sockets(space).length, 1)

  await space.inTerminal(['up'], async (terminal) => {
    await terminal.until('Ctrl-P Ctrl-Q leaves it running')
    await terminal.until('begun')
    terminal.type('hello')
    terminal.press('Enter')
    await terminal.until('got hello')
    terminal.press('C-p', 'C-q')
    await terminal.until('its command goes on')
    await terminal.until('status 0')
  })
  const beside = await space.run('up', '--command', 'echo beside; exit 4')
  assert.equal([beside.status, beside.stdout], [4, 'beside\n'])
  await space.inTerminal(['up'], async (terminal) => {
    await terminal.until('got hello')
    terminal.press('Enter')
    await terminal.until('status 3')
  })
  await until('nobody can attach any more', () => sockets(space).length === 0)
  await space.must('down')
}

const test = suite('dev-attach')
await scenarios(test, [
  {
    title: 'up attaches to the command in the background, leaves it, and ends with it',
    space: 'dev-attach',
    run: attached,
    options: { env: { DEVTOOL_AGENT_IMAGE: 'node:22.23-bookworm-slim' } },
  },
])
test.run()
