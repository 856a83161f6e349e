/** The queue of messages between a stream and its reader. */
import { PassThrough } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openInbox } from '../../../src/adapters/buildkit/rpc/inbox.ts'
import { frame } from '../../support/build/grpc-fake.ts'

const refuse = (): void => assert.unreachable('the messages are valid')

test('a stream is paused while more than a mebibyte is queued, and resumed when the reader has taken all', async () => {
  const stream = new PassThrough()
  const { messages } = openInbox(stream, { refuse })
  for (let sent = 0; sent < 3; sent += 1) {
    assert.is(stream.isPaused(), false, `after ${sent} messages`)
    stream.write(frame(Buffer.alloc(400_000, 'x')))
    await turn()
  }
  assert.is(stream.isPaused(), true)
  const reader = messages[Symbol.asyncIterator]()
  for (let taken = 0; taken < 3; taken += 1) {
    assert.is(stream.isPaused(), true, `after ${taken} messages`)
    assert.is((await reader.next()).value?.length, 400_000)
  }
  assert.is(stream.isPaused(), false)
  stream.end()
  assert.is((await reader.next()).done, true)
})

test.run()
