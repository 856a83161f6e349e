/** Programs that a run starts. */
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { spawned } from '../../../src/server/spawned.ts'

const pipes = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'PipeWrap').length

test('what a program leaves running keeps nobody waiting for its output', async () => {
  const before = pipes()
  const lines: Array<string> = []
  const options = { cwd: '/', env: { PATH: process.env['PATH'] } }
  const child = spawned(['sh', '-c', 'sleep 20 & echo $!; exit 3'], options, (line) => lines.push(line))
  assert.is(await child.ended, 3)
  await sleep(100)
  process.kill(Number(lines[0]))
  assert.is(pipes(), before)
})

test.run()
