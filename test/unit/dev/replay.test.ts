import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { replayOf } from '../../../src/adapters/ssh/replay.ts'

const kib = (count: number, text: string): Buffer => Buffer.alloc(count * 1024, text)

test('a client that comes back gets what it has not received', () => {
  const replay = replayOf()
  for (const text of ['one ', 'two ', 'three']) replay.add(Buffer.from(text))
  const after = (received: number) => {
    const { bytes, from } = replay.since(received)
    return [from, bytes.toString()]
  }
  assert.equal(after(0), [0, 'one two three'])
  assert.equal(after(4), [4, 'two three'])
  assert.equal(after(13), [13, ''])
  assert.equal(after(99), [13, ''])
})

test('what is forgotten is gone, but for less than a chunk', () => {
  const replay = replayOf()
  for (let chunk = 0; chunk < 100; chunk += 1) replay.add(kib(10, String(chunk % 10)))
  assert.is(replay.end(), 1000 * 1024)
  replay.forget(744 * 1024)
  const { bytes, from } = replay.since(0)
  assert.is(from + bytes.length, 1000 * 1024)
  assert.is(bytes.length, 260 * 1024)
  assert.is(replay.since(990 * 1024).bytes.toString(), kib(10, '9').toString())
})

test.run()
