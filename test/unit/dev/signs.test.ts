/** How often a quiet link is asked for a sign of life, and when it counts as lost. */
import { EventEmitter } from 'node:events'
import { PassThrough } from 'node:stream'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { askForSigns } from '../../../src/adapters/ssh/signs.ts'
import { memoryClock } from '../../memory/clock.ts'

/** The part of ssh2's client that is used. */
const linked = (answers: boolean, oftenMs?: number) => {
  const clock = memoryClock()
  const bytes = new PassThrough()
  const asked: Array<number> = []
  const failures: Array<string> = []
  const ping = (): void => {
    asked.push(clock.now())
    if (answers) bytes.emit('data', Buffer.from('here'))
  }
  const client = Object.assign(new EventEmitter(), { _callbacks: [], _protocol: { ping } })
  client.on('error', (failure: Error) => failures.push(failure.message))
  askForSigns(clock, Object(client), bytes, oftenMs)
  return { asked, bytes, client, clock, failures }
}

const between = (times: ReadonlyArray<number>): ReadonlyArray<number> =>
  times.slice(1).map((time, index) => time - (times[index] ?? 0))

test('a link is asked often while it is used, and seldom after half a minute', async () => {
  const { asked, bytes, clock } = linked(true, 400)
  await clock.advance(29_000)
  assert.equal([...new Set(between(asked))], [400])
  await clock.advance(91_000)
  assert.equal([...new Set(between(asked.filter((time) => time > 31_000)))], [1800])
  bytes.emit('data', Buffer.from('a key was typed'))
  const before = asked.length
  await clock.advance(20_000)
  assert.ok(asked.length - before > 40, `it was asked ${asked.length - before} times`)
})

test('a link that is busy is not asked', async () => {
  const { asked, bytes, clock } = linked(false)
  for (let beat = 0; beat < 100; beat += 1) {
    await clock.advance(100)
    bytes.emit('data', Buffer.from('a line'))
  }
  assert.equal(asked, [])
})

for (const oftenMs of [400, undefined]) {
  test(`a link that asks every ${oftenMs ?? 1800} ms and gets no answer is lost after 5.4 s`, async () => {
    const { asked, bytes, clock, failures } = linked(false, oftenMs)
    await clock.advance(5_300)
    assert.equal([failures, bytes.destroyed], [[], false])
    await clock.advance(2_000)
    assert.equal([failures, bytes.destroyed], [['no sign of life'], true])
    const last = asked.length
    await clock.advance(60_000)
    assert.is(asked.length, last)
  })
}

test('nothing is asked of a link that has ended', async () => {
  const { asked, client, clock } = linked(true)
  client.emit('close')
  await clock.advance(60_000)
  assert.equal(asked, [])
})

test.run()
