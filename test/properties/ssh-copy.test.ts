/** Copies between programs, channels and connections: bounded, in order, and never stuck. */
import { PassThrough, Readable, Writable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import * as fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { copyInto } from '../../src/adapters/ssh/channel.ts'

const most = 256 * 1024
const chunks = fc.array(fc.integer({ min: 1, max: 64 * 1024 }), { minLength: 1, maxLength: 60 })

/** Takes one write each time it is told to. */
const slow = (highWaterMark: number) => {
  let next: (() => void) | undefined
  let taken = Buffer.alloc(0)
  const stream = new Writable({
    highWaterMark,
    write: (chunk: Buffer, _encoding, done) => {
      taken = Buffer.concat([taken, chunk])
      next = done
    },
  })
  const take = (): void => {
    const done = next
    next = undefined
    done?.()
  }
  return { stream, take, taken: () => taken }
}

const source = (sizes: ReadonlyArray<number>) => {
  const all = sizes.map((size, at) => Buffer.alloc(size, at))
  return { all: Buffer.concat(all), from: Readable.from(all, { objectMode: false }) }
}

test('a copy holds no more than its limit and one chunk, and all of it arrives in order', async () => {
  await fc.assert(
    fc.asyncProperty(chunks, fc.array(fc.boolean(), { minLength: 1, maxLength: 20 }), async (sizes, rhythm) => {
      const { all, from } = source(sizes)
      const [to, connection] = [slow(2 * 1024 * 1024), slow(16 * 1024)]
      copyInto(to.stream, from, connection.stream)
      let sent = 0
      for (let step = 0; to.taken().length < all.length || to.stream.writableLength > 0; step += 1) {
        assert.ok(step < 10_000, `stuck after ${to.taken().length} of ${all.length} bytes`)
        if (rhythm[step % rhythm.length] === true) to.take()
        else connection.take()
        if (step % 3 === 0) to.take()
        if (step % 5 === 0) connection.take()
        // What a channel takes, ssh2 writes to the connection.
        const more = to.taken().subarray(sent)
        sent += more.length
        if (more.length > 0) connection.stream.write(more)
        const held = to.stream.writableLength
        assert.ok(held <= most + 64 * 1024, `${held} bytes are held`)
        await turn()
      }
      assert.ok(all.equals(to.taken()))
    }),
    { numRuns: 50 },
  )
})

test('a source is not read while the connection is behind, and goes on when it has caught up', async () => {
  const { from } = source([1, 2, 3])
  const [to, connection] = [new PassThrough(), slow(16 * 1024)]
  connection.stream.write(Buffer.alloc(most + 1))
  copyInto(to, from, connection.stream)
  await turn()
  assert.is(to.readableLength, 1)
  connection.take()
  while (!from.readableEnded) await turn()
  assert.is(to.readableLength, 6)
})

test('a source whose reader has gone is read to its end', async () => {
  const { from } = source(Array.from({ length: 100 }, () => 64 * 1024))
  const to = slow(16 * 1024)
  copyInto(to.stream, from, new PassThrough())
  await turn()
  to.stream.destroy()
  while (!from.readableEnded) await turn()
  assert.is(to.taken().length, 64 * 1024)
})

test.run()
