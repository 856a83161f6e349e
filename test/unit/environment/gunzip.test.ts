/** Compressed text of others. */
import { gzipSync } from 'node:zlib'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { gunzip } from '../../../src/domain/environment/gunzip.ts'

test('compressed text is read back', () => {
  for (const text of ['', 'a', 'é'.repeat(100_000)]) assert.is(gunzip(gzipSync(text)), text)
})

test('a small file that would unpack to a large one is refused', () => {
  assert.is(gunzip(gzipSync(Buffer.alloc(65 * 1024 * 1024))), '')
})

test('no more is unpacked than the length that the file declares', () => {
  const bomb = gzipSync(Buffer.alloc(65 * 1024 * 1024, 'a'))
  bomb.writeUInt32LE(3, bomb.length - 4)
  assert.is(gunzip(bomb).length, 3)
})

test.run()
