import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { replayOf } from '../../../src/agent/replay.ts'

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

test('at least the last 256 KiB are kept, and not a chunk more than that', () => {
  const replay = replayOf()
  for (let chunk = 0; chunk < 100; chunk += 1) replay.add(kib(10, String(chunk % 10)))
  const { bytes, from } = replay.since(0)
  assert.is(from + bytes.length, 1000 * 1024)
  assert.ok(bytes.length >= 256 * 1024 && bytes.length < 266 * 1024)
  assert.is(replay.since(990 * 1024).bytes.toString(), kib(10, '9').toString())
  for (let chunk = 0; chunk < 100; chunk += 1) replay.add(kib(10, 'x'))
  assert.ok(replay.since(0).bytes.every((byte) => byte === 'x'.charCodeAt(0)))
})

test.run()
