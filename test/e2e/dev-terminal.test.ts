/** Work in the terminal of `up`: a program is interrupted, an editor saves a file, the window is resized. */
import { existsSync, readFileSync } from 'node:fs'
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
    sync: [.:/tmp]
    persistentVolume: { enabled: false }
`

const worked = async (space: Space): Promise<void> => {
  space.write('devtool.yml', manifest)
  await space.create('Deployment', sleeping({}))
  await space.inTerminal(['up', '--yes'], async (terminal) => {
    const enter = (line: string): void => {
      terminal.type(line)
      terminal.press('Enter')
    }
    await terminal.until(/^\/tmp #/m)
    enter('echo begun; sleep 1000')
    await terminal.until(/^begun$/m)
    terminal.press('C-c')
    enter('echo "ended with $?"')
    await terminal.until(/^ended with 130$/m)

    terminal.resize(120, 24)
    enter('stty size')
    await terminal.until('24 120')
    enter('vi note.txt')
    await terminal.until(/(?:^~\n){20}/m)
    terminal.resize(90, 40)
    enter('iwritten in vi')
    terminal.press('Escape')
    await terminal.until(/^- note.txt/m)
    enter(':wq')
    enter('echo "left vi"')
    await terminal.until(/^left vi$/m, 15)
    const file = join(space.folder, 'note.txt')
    await until('the file is here', () => existsSync(file) && readFileSync(file, 'utf8').startsWith('written in vi\n'))
    enter('stty size; exit 5')
    await terminal.until('40 90')
    await terminal.until('status 5')
  })
  assert.is((await space.run('status')).status, 0)
  await space.must('down')
}

const test = suite('dev-terminal')
await scenarios(test, [
  {
    title: 'a program is interrupted, vi saves a file, the window is resized, and the shell ends',
    space: 'dev-terminal',
    run: worked,
    options: { env: { DEVTOOL_AGENT_IMAGE: 'node:22.23-bookworm-slim' } },
  },
])
test.run()
