/** examples/hot-reload as somebody works on it: each save is in the answer of the program in the cluster. */
import * as fs from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Space } from '../support/e2e/e2e.ts'
import { scenarios } from '../support/e2e/scenarios.ts'
import { freePort } from '../support/process/ports.ts'
import { until } from '../support/process/until.ts'

const example = join(import.meta.dirname, '../../examples/hot-reload')

const answerOf = (port: number): Promise<string> =>
  fetch(`http://127.0.0.1:${port}/`).then(
    (response) => response.text(),
    () => '',
  )

const reloaded = async (space: Space): Promise<void> => {
  fs.cpSync(example, space.folder, { recursive: true })
  const port = await freePort()
  const compose = join(space.folder, 'compose.yaml')
  fs.writeFileSync(compose, fs.readFileSync(compose, 'utf8').replace('8080:8080', `${port}:8080`))
  await space.must('deploy', '--yes', '--host-files=config', '--wait')

  const up = space.start('up', 'web', '--yes')
  await up.says('listening on port 8080')
  const greets = (word: string) =>
    until(`the answer begins with ${word}`, async () => (await answerOf(port)).startsWith(`${word} from `))
  await greets('Hello')
  const greeting = join(space.folder, 'app/greeting.mjs')
  for (const word of ['Hi', 'Good morning', 'Welcome', 'Cheers']) {
    const text = `export const greeting = (host) => \`${word} from \${host}\\n\`\n`
    fs.writeFileSync(greeting, text)
    await greets(word)
  }
  // The program goes on once the mistake is mended.
  fs.writeFileSync(greeting, 'export const greeting = (host => host\n')
  await up.says('SyntaxError')
  const next = `${greeting}.next`
  fs.writeFileSync(next, "export const greeting = () => 'Mended from here'\n")
  fs.renameSync(next, greeting)
  await greets('Mended')
  up.child.kill('SIGINT')
  await up.ended
  await space.must('down')
  assert.match((await space.must('list')).stdout, 'hot-reload')
}

const test = suite('dev-hot-reload')
await scenarios(test, [
  {
    title: 'each save is in the next answer of the example that reloads itself',
    space: 'hot-reload',
    options: { env: { DEVTOOL_AGENT_IMAGE: 'node:22.23-bookworm-slim' } },
    run: reloaded,
  },
])
test.run()
