import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { pauseAfter } from '../../../src/domain/time/backoff.ts'

test('pauses double up to the maximum', () => {
  const pauses = [0, 1, 2, 3, 4].map((failures) => pauseAfter({ firstMs: 250, longestMs: 1500 }, failures))
  assert.equal(pauses, [250, 500, 1000, 1500, 1500])
})

test('pauses grow by a given factor', () => {
  const pauses = [0, 1, 2].map((failures) => pauseAfter({ firstMs: 100, longestMs: 2000, factor: 1.5 }, failures))
  assert.equal(pauses, [100, 150, 225])
})

test('the pause never exceeds the maximum', () => {
  assert.is(pauseAfter({ firstMs: 250, longestMs: 10_000 }, 5000), 10_000)
})

test.run()
