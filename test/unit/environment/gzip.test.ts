/** Compressed text of others, by the portable functions and by those of Node that take their place. */
import { gzipSync } from 'node:zlib'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import * as native from '../../../src/adapters/system/gzip.ts'
import * as portable from '../../../src/domain/environment/gzip.ts'

const texts = ['', 'a', '\ufeffé'.repeat(100_000), JSON.stringify({ schema: 1, plan: ['x'.repeat(5000)] })]
const forms = { portable, native }
const large = gzipSync(Buffer.alloc(65 * 1024 * 1024))

for (const [name, { gunzip, gzip }] of Object.entries(forms)) {
  test(`${name}: compressed text is read back by both`, () => {
    for (const text of texts) {
      for (const other of Object.values(forms)) assert.is(other.gunzip(gzip(text)), other.gunzip(gzipSync(text)))
      assert.is(gunzip(gzip(text)), text.replace(/^\ufeff/, ''))
    }
  })

  test(`${name}: equal texts give equal bytes`, () => {
    assert.equal(gzip('one'), gzip('one'))
  })

  test(`${name}: a small file that would unpack to a large one is refused`, () => {
    assert.throws(() => gunzip(large))
  })

  test(`${name}: no more is unpacked than the length that the file declares`, () => {
    const bomb = Buffer.from(large)
    bomb.writeUInt32LE(3, bomb.length - 4)
    let length = 0
    try {
      length = gunzip(bomb).length
    } catch {}
    assert.ok(length <= 3)
  })

  test(`${name}: what is not gzip is refused`, () => {
    assert.throws(() => gunzip(new Uint8Array([1, 2, 3])))
    assert.throws(() => gunzip(new Uint8Array()))
  })
}

test.run()
