import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { atMost, deadline, isTimeout } from '../../../src/app/concurrency/deadline.ts'
import { memoryClock } from '../../memory/clock.ts'

test('a timeout ends a run, and is distinguished from an interruption', async () => {
  const clock = memoryClock()
  const { signal } = deadline(clock, 1000, new AbortController().signal)
  await clock.advance(999)
  assert.not(signal.aborted)
  await clock.advance(1)
  assert.ok(signal.aborted && isTimeout(signal))
})

test('an interrupt ends a run early, and is not a timeout', async () => {
  const interrupted = new AbortController()
  const { signal } = deadline(memoryClock(), 1000, interrupted.signal)
  interrupted.abort()
  assert.ok(signal.aborted && !isTimeout(signal))
})

test('a cleared deadline does not fire, and leaves no timer', async () => {
  const clock = memoryClock()
  const { clear, signal } = deadline(clock, 1000, new AbortController().signal)
  clear()
  await clock.advance(5000)
  assert.equal([signal.aborted, clock.sleeping()], [false, 0])
})

test('slow work is abandoned, and fast work leaves no timer', async () => {
  const clock = memoryClock()
  assert.is(await atMost(clock, 1000, () => Promise.resolve('done')), 'done')
  assert.is(clock.sleeping(), 0)
  let result = 'waiting'
  const waited = atMost(clock, 1000, () => new Promise<string>(() => {})).then((late) => (result = String(late)))
  await clock.advance(1000)
  assert.is(result, 'undefined')
  await waited
})

test('work that takes too long is aborted', async () => {
  const clock = memoryClock()
  const signals: Array<AbortSignal> = []
  const waited = atMost(clock, 1000, (late) => new Promise<string>(() => signals.push(late)))
  await clock.advance(999)
  assert.is(signals[0]?.aborted, false)
  await clock.advance(1)
  await waited
  assert.is(signals[0]?.aborted, true)
})

test('failing work leaves no timer', async () => {
  const clock = memoryClock()
  const failed = await atMost(clock, 1000, () => Promise.reject(new Error('broken'))).catch(String)
  assert.equal([failed, clock.sleeping()], ['Error: broken', 0])
})

test.run()
