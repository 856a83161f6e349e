/** Programs that a run starts. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { root } from '../../../scripts/command.ts'

const script = `
  import { spawned } from ${JSON.stringify(join(root, 'src/server/spawned.ts'))}
  const options = { cwd: '/', env: { PATH: process.env.PATH } }
  const child = spawned(['sh', '-c', 'sleep 600 & echo $!; exit 3'], options, (line) => console.log(line))
  console.log(await child.ended)
`

test('what a program leaves running keeps nobody waiting for its output', async () => {
  const args = ['--import', 'tsx', '--input-type=module', '--eval', script]
  // Far less than what is left running takes.
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, timeout: 60_000 })
  const [left = 0, status] = stdout.split('\n').map(Number)
  process.kill(left)
  assert.is(status, 3)
})

test.run()
