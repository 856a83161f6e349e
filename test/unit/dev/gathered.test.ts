/** What ssh2 writes packet by packet goes to the connection in few pieces. */
import { Duplex } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { gathering } from '../../../src/adapters/ssh/channel.ts'

const recorded = () => {
  const sent: Array<string> = []
  const stream = new Duplex({
    read: () => {},
    write: (chunk, _encoding, done) => {
      sent.push(String(chunk))
      done()
    },
    writev: (chunks, done) => {
      sent.push(chunks.map(({ chunk }) => String(chunk)).join(''))
      done()
    },
  })
  return { sent, stream: gathering(stream) }
}

test('what is written in one turn is sent together, in order, and the next turn by itself', async () => {
  const { sent, stream } = recorded()
  for (const word of ['a', 'b', 'c']) stream.write(word)
  assert.equal(sent, [])
  await turn()
  assert.equal(sent, ['abc'])
  stream.write('d')
  await turn()
  assert.equal(sent, ['abc', 'd'])
})

test('the end sends what is held', async () => {
  const { sent, stream } = recorded()
  stream.write('a')
  stream.end('b')
  await turn()
  assert.equal([sent.join(''), stream.writableFinished], ['ab', true])
})

test('a connection that is destroyed meanwhile stays so', async () => {
  const { sent, stream } = recorded()
  stream.write('a')
  stream.destroy()
  await turn()
  assert.equal([sent, stream.destroyed], [[], true])
})

test('it tells the writer to wait as before', async () => {
  const { stream } = recorded()
  assert.is(stream.write(Buffer.alloc(stream.writableHighWaterMark)), false)
  const drained = new Promise((resolve) => stream.once('drain', resolve))
  await drained
  assert.is(stream.writableLength, 0)
})

test.run()
