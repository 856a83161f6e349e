/** Parts of the client that need no server. */

import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { linesOf } from '../../../src/adapters/http/lines.ts'
import { warningsOf } from '../../../src/adapters/kube/api/answer.ts'
import { pauseMs, retry } from '../../../src/adapters/kube/api/retry.ts'
import { memoryClock } from '../../memory/clock.ts'

async function* chunksOf(bytes: Uint8Array, sizes: ReadonlyArray<number>): AsyncGenerator<Uint8Array> {
  let from = 0
  for (const size of sizes) {
    yield bytes.subarray(from, from + size)
    from += size
  }
  yield bytes.subarray(from)
}

const read = async (text: string | Uint8Array, sizes: ReadonlyArray<number>, limit = 1000) => {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text
  const lines: Array<string> = []
  for await (const line of linesOf(chunksOf(bytes, sizes), limit, '…')) lines.push(line)
  return lines
}

test('lines do not depend on how the bytes are split', () =>
  fc.assert(
    fc.asyncProperty(fc.array(fc.string({ unit: 'grapheme' })), fc.array(fc.nat(20)), async (parts, sizes) => {
      const lines = parts.map((part) => part.replaceAll(/[\r\n]/g, ' '))
      assert.equal(await read(lines.map((line) => `${line}\n`).join(''), sizes), lines)
    }),
  ))

test('lines: long lines, carriage returns, invalid bytes and a missing last newline', async () => {
  assert.equal(await read('abcdef\nx\r\n\nlast', [3, 1], 4), ['abcd…', 'x', '', 'last'])
  assert.equal(await read(Uint8Array.of(0x61, 0xff, 0x0a, 0xef, 0xbb, 0xbf, 0x62), [4]), ['a\ufffd', '\ufeffb'])
})

test('warning headers hold texts with quotes, several to a line', () => {
  assert.equal(warningsOf('299 - "a \\"b\\" c", 299 host:80 "d, e" "Wed, 21 Oct 2015 07:28:00 GMT"'), [
    'a "b" c',
    'd, e',
  ])
  assert.equal(warningsOf(['299 - "a"', '299 - "b"']), ['a', 'b'])
  assert.equal(warningsOf(undefined), [])
  assert.equal(warningsOf('nonsense'), [])
})

test('pauses grow, with random jitter of one half', () => {
  assert.equal(
    [1, 2, 3, 10].map((tries) => pauseMs(tries, 0)),
    [100, 200, 400, 5000],
  )
  assert.equal(
    [1, 2, 3, 10].map((tries) => pauseMs(tries, 0.5)),
    [150, 300, 600, 7500],
  )
})

test('a request is tried at most eight times within a minute, with the requested pauses', async () => {
  const clock = memoryClock()
  const random = (): number => 0
  const run = async (afterMs?: number): Promise<ReadonlyArray<number>> => {
    const at: Array<number> = []
    const startMs = clock.now()
    const again = afterMs === undefined ? {} : { afterMs }
    const running = retry({ clock, random }, () => {
      at.push(clock.now() - startMs)
      return Promise.resolve({ result: E.left('no'), again })
    })()
    await clock.advance(100_000)
    assert.equal(await running, E.left('no'))
    return at
  }
  assert.equal(await run(), [0, 100, 300, 700, 1500, 3100, 6300, 11_300])
  assert.equal(await run(20_000), [0, 20_000, 40_000, 60_000])
})

test('a signal ends the pause', async () => {
  const clock = memoryClock()
  const stop = new AbortController()
  let tries = 0
  const running = retry(
    { clock, random: () => 0 },
    () => {
      tries += 1
      return Promise.resolve({ result: E.left('no'), again: {} })
    },
    stop.signal,
  )()
  await clock.advance(0)
  stop.abort()
  assert.equal(await running, E.left('no'))
  assert.is(tries, 1)
})

test.run()
