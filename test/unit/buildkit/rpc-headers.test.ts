/** Headers that come in several frames, joined to one. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { wholeHeaders } from '../../../src/adapters/buildkit/serve/whole-headers.ts'

const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')
const data = 0
const headers = 1
const continuation = 9
const endStream = 1
const endHeaders = 4

const frame = (type: number, flags: number, stream: number, payload: string | Buffer): Buffer => {
  const bytes = Buffer.from(payload)
  const head = Buffer.alloc(9)
  head.writeUIntBE(bytes.length, 0, 3)
  head[3] = type
  head[4] = flags
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, bytes])
}

const sent = Buffer.concat([
  preface,
  frame(4, 0, 0, 'settin'),
  frame(headers, endHeaders, 1, 'whole'),
  frame(data, 0, 1, ''),
  frame(headers, endStream, 3, 'one '),
  frame(continuation, 0, 3, ''),
  frame(continuation, 0, 3, 'two '),
  frame(continuation, endHeaders, 3, 'three'),
  frame(data, endStream, 1, 'x'.repeat(300)),
  frame(headers, 0, 5, ''),
  frame(continuation, endHeaders, 5, ''),
  frame(6, 0, 0, 'pingping'),
])

const joined = Buffer.concat([
  preface,
  frame(4, 0, 0, 'settin'),
  frame(headers, endHeaders, 1, 'whole'),
  frame(data, 0, 1, ''),
  frame(headers, endStream | endHeaders, 3, 'one two three'),
  frame(data, endStream, 1, 'x'.repeat(300)),
  frame(headers, endHeaders, 5, ''),
  frame(6, 0, 0, 'pingping'),
])

test('header frames are joined and other frames pass unchanged, however the bytes are split', () => {
  for (let size = 1; size <= sent.length; size += 1) {
    const read = wholeHeaders()
    const out: Array<Buffer> = []
    for (let at = 0; at < sent.length; at += size) out.push(...(read(sent.subarray(at, at + size)) ?? []))
    assert.ok(Buffer.concat(out).equals(joined), `in parts of ${size} bytes`)
  }
})

test('headers too long for one frame are refused', () => {
  const read = wholeHeaders()
  read(Buffer.concat([preface, frame(headers, 0, 1, '')]))
  const part = frame(continuation, 0, 1, Buffer.alloc(1_000_000))
  const results = Array.from({ length: 17 }, () => read(part))
  assert.is(
    results.findIndex((result) => result === undefined),
    16,
  )
})

test.run()
