import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { encodeBase64, encodeBase64Text } from '../../../src/domain/text/base64.ts'

test('the test vectors of RFC 4648', () => {
  assert.equal(['', 'f', 'fo', 'foo', 'foob', 'fooba', 'foobar'].map(encodeBase64Text), [
    '',
    'Zg==',
    'Zm8=',
    'Zm9v',
    'Zm9vYg==',
    'Zm9vYmE=',
    'Zm9vYmFy',
  ])
})

test('all of the alphabet, and text beyond ASCII', () => {
  assert.is(encodeBase64(Uint8Array.of(0xfb, 0xff, 0xfe, 0)), '+//+AA==')
  assert.is(encodeBase64Text('é😀'), 'w6nwn5iA')
})

test.run()
