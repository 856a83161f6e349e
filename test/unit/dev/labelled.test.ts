/** The output of several programs in one terminal. */
import { setImmediate as turn } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { meeting } from '../../../src/app/concurrency/meeting.ts'
import { labelled } from '../../../src/cli/view/labelled.ts'
import { memoryConsole } from '../../memory/console.ts'

const written = async (chunks: ReadonlyArray<string | Buffer>): Promise<string> => {
  const console = memoryConsole()
  const stream = labelled(console, 'api | ').stdout()
  for (const chunk of chunks) stream.write(chunk)
  stream.end()
  await turn()
  return console.shown()
}

test('each line has its label, however the output is split', async () => {
  assert.is(await written(['one\r\ntw', 'o\r\nthree']), 'api | one\napi | two\napi | three\n')
})

test('a character that is split between two parts is shown whole', async () => {
  const bytes = Buffer.from('ü\n')
  assert.is(await written([bytes.subarray(0, 1), bytes.subarray(1)]), 'api | ü\n')
})

test('an endless line is shown in parts', async () => {
  const shown = await written(['x'.repeat(20_000), 'y\n'])
  assert.equal(
    shown.split('\n').map((line) => line.length),
    [20_006, 7, 0],
  )
})

test('control sequences of a program that move the cursor are removed', async () => {
  assert.not.match(await written(['\u001B[2Jgone\n']), '\u001B[2J')
})

test('all sessions wait until each has arrived or ended', async () => {
  const { arrive, leave } = meeting(3)
  let met = 0
  for (const task of [arrive(), arrive()]) void task.then(() => (met += 1))
  await turn()
  assert.is(met, 0)
  leave()
  await turn()
  assert.is(met, 2)
})

test.run()
