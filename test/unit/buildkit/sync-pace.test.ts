import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openPace } from '../../../src/adapters/buildkit/sync/pace.ts'
import { memoryClock } from '../../memory/clock.ts'

const test = suite('pace of a list')

/** Far more than may be ahead. */
const far = 10_000

test('a builder that requests no files gets the list at once', () => {
  const pace = openPace(memoryClock())
  assert.is(pace.wait(far), undefined)
  pace.end()
})

test('the list of files waits for a builder that lags far behind', async () => {
  const pace = openPace(memoryClock())
  pace.asked(0)
  assert.is(pace.wait(1), undefined)
  const waiting = pace.wait(far)
  assert.ok(waiting !== undefined)
  pace.asked(far - 1)
  await waiting
  assert.is(pace.wait(far), undefined)
  assert.ok(pace.wait(2 * far) !== undefined)
  pace.end()
})

test('a builder that requests no more files gets the rest at once', async () => {
  const clock = memoryClock()
  const pace = openPace(clock)
  pace.asked(0)
  const first = pace.wait(far)
  await clock.advance(10)
  await first
  assert.is(pace.wait(2 * far), undefined)
  pace.asked(far)
  const waiting = pace.wait(3 * far)
  assert.ok(waiting !== undefined)
  pace.end()
  await waiting
})

test.run()
