import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { sha256 } from '../../../src/domain/text/sha256.ts'

const KNOWN: ReadonlyArray<readonly [string, string]> = [
  ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
  ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
  [
    'abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq',
    '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
  ],
]

for (const [text, digest] of KNOWN) {
  test(`SHA-256 of "${text}" is that of FIPS 180-4`, () => {
    assert.is(sha256(text), digest)
  })
}

test('SHA-256 of a million letters', () => {
  assert.is(sha256('a'.repeat(1_000_000)), 'cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0')
})

test.run()
