/** The end of an output that is known by its silence. */
import { setImmediate as turn } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { onceQuiet } from '../../../src/adapters/process/quiet.ts'
import { memoryClock } from '../../memory/clock.ts'

test('an output has ended when nothing came for that long', async () => {
  const clock = memoryClock()
  let ends = 0
  const quiet = onceQuiet(clock, 200, () => (ends += 1))
  quiet.wait()
  await clock.advance(150)
  quiet.wait()
  await clock.advance(150)
  await turn()
  assert.is(ends, 0)
  await clock.advance(50)
  await turn()
  assert.is(ends, 1)
})

test('what came while the process was suspended is read before the end', async () => {
  const timers: Array<() => void> = []
  const after = (_ms: number, run: () => void): (() => void) => {
    timers.push(run)
    return () => {}
  }
  let ends = 0
  const quiet = onceQuiet({ after }, 200, () => (ends += 1))
  quiet.wait()
  // Timers run first, then what has come is read.
  timers[0]?.()
  quiet.wait()
  await turn()
  assert.is(ends, 0)
  timers[1]?.()
  await turn()
  assert.is(ends, 1)
})

test('nothing ends after it was stopped', async () => {
  const clock = memoryClock()
  let ends = 0
  const quiet = onceQuiet(clock, 200, () => (ends += 1))
  quiet.wait()
  quiet.stop()
  await clock.advance(1000)
  await turn()
  assert.is(ends, 0)
})

test.run()
