/** Work in the terminal of `up`: a program is interrupted, an editor saves a file, the window is resized. */
import { cpSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { root } from '../../scripts/command.ts'
import { at } from '../../src/domain/cluster/json.ts'
import type { Space } from '../support/e2e/e2e.ts'
import { scenarios } from '../support/e2e/scenarios.ts'
import { sleeping } from '../support/e2e/sleeping.ts'
import { type Tmux, untilSized } from '../support/e2e/tmux.ts'
import { until } from '../support/process/until.ts'

const manifest = `dev:
  api:
    workdir: /tmp
    sync: [.:/tmp]
    persistentVolume: { enabled: false }
`

const entering =
  ({ press, type }: Tmux) =>
  (line: string): void => {
    type(line)
    press('Enter')
  }

const worked = async (space: Space): Promise<void> => {
  space.write('devtool.yml', manifest)
  await space.create('Deployment', sleeping({}))
  await space.inTerminal(['up', '--yes'], async (terminal) => {
    const enter = entering(terminal)
    await terminal.until(/^\/tmp #/m)
    enter('echo begun; sleep 1000')
    await terminal.until(/^begun$/m)
    terminal.press('C-c')
    enter('echo "ended with $?"')
    await terminal.until(/^ended with 130$/m)

    terminal.resize(120, 24)
    enter(untilSized('24 120'))
    await terminal.until(/^24 120$/m)
    enter('vi note.txt')
    await terminal.until(/(?:^~\n){20}/m)
    terminal.resize(90, 40)
    enter('iwritten in vi')
    // Keys that follow Escape at once would be read as one key with it.
    await terminal.until(/^I note.txt/m)
    terminal.press('Escape')
    await terminal.until(/^- note.txt/m)
    enter(':wq')
    enter('echo "left vi"')
    await terminal.until(/^left vi$/m, 15)
    const file = join(space.folder, 'note.txt')
    await until('the file is here', () => existsSync(file) && readFileSync(file, 'utf8').startsWith('written in vi\n'))
    enter(`${untilSized('40 90')}; exit 5`)
    await terminal.until(/^40 90$/m)
    await terminal.until('status 5')
  })
  assert.is((await space.run('status')).status, 0)
  await space.must('down')
}

/** Nothing in the example is about developing. */
const developedExample = async (space: Space): Promise<void> => {
  cpSync(join(root, 'examples/vote'), space.folder, { recursive: true })
  await space.must('deploy', '--wait')
  const vote = await space.get('Deployment', 'vote')
  await space.inTerminal(['up', 'vote', '--yes'], async (terminal) => {
    const enter = entering(terminal)
    await terminal.until(/ #/m)
    enter('echo "votes for $OPTION_A"')
    await terminal.until(/^votes for Cats$/m)
    enter('(echo PING; sleep 1) | nc redis 6379')
    await terminal.until(/PONG$/m)
    enter('exit 5')
    await terminal.until('vote: its container stays; `devtool down vote')
    await terminal.until('status 5')
  })
  await space.must('down', 'vote')
  const restored = await space.get('Deployment', 'vote')
  assert.equal([restored?.metadata.uid, at(restored, 'spec')], [vote?.metadata.uid, at(vote, 'spec')])
}

const options = { env: { DEVTOOL_AGENT_IMAGE: 'node:22.23-bookworm-slim' } }

const test = suite('dev-terminal')
await scenarios(test, [
  {
    title: 'a program is interrupted, vi saves a file, the window is resized, and the shell ends',
    space: 'dev-terminal',
    run: worked,
    options,
  },
  {
    title: 'a service of the example is developed, with its variables and the other services',
    space: 'dev-example',
    run: developedExample,
    options,
  },
])
test.run()
