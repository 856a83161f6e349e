import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { checkImage } from '../../../src/domain/text/image.ts'

const HEX = '0123456789abcdef'.repeat(4)

const GOOD: ReadonlyArray<string> = [
  'nginx',
  'nginx:1.27-alpine',
  'nginx:V1_x.Y',
  'library/nginx',
  'my_org/a__b/c--d.e',
  'localhost/app',
  'localhost:5000/app:tag',
  'Registry.Example.com/team/app',
  'ghcr.io/a/b/c/d:1',
  'host:443/a',
  '[2001:db8::1]:5000/app:x',
  `nginx@sha256:${HEX}`,
  `ghcr.io/a/b:1@sha256:${HEX}`,
  `a@sha512:${HEX}${HEX}`,
  'scratch',
  `a:${'t'.repeat(128)}`,
  '0ad',
]

for (const text of GOOD) {
  test(`image ${text} is legal`, () => {
    assert.equal(checkImage(text), E.right(text))
  })
}

const BAD: ReadonlyArray<readonly [string, string, number, number]> = [
  ['', 'the image is empty', 0, 0],
  [':tag', 'the name of the image is missing', 0, 0],
  ['@sha256:00', 'the name of the image is missing', 0, 0],
  ['Nginx', 'the image name "Nginx" must be lower case', 0, 5],
  ['ghcr.io/Team/app:1', 'the image name "Team" must be lower case', 8, 12],
  ['MyOrg/app', 'the image name "MyOrg" must be lower case', 0, 5],
  ['ghcr.io/team/App', 'the image name "App" must be lower case', 13, 16],
  ['a//b', 'an image name cannot have an empty part', 2, 2],
  ['/a', 'an image name cannot have an empty part', 0, 0],
  ['a/', 'an image name cannot have an empty part', 2, 2],
  ['-a', '"-a" is not a legal part of an image name', 0, 2],
  ['a..b', '"a..b" is not a legal part of an image name', 0, 4],
  ['a___b', '"a___b" is not a legal part of an image name', 0, 5],
  ['a b', '"a b" is not a legal part of an image name', 0, 3],
  ['é', '"é" is not a legal part of an image name', 0, 1],
  ['-x.io/a', '"-x.io" is not the name of a registry', 0, 5],
  ['x.io:port/a', '"x.io:port" is not the name of a registry', 0, 9],
  ['a:', 'the tag of the image is empty', 2, 2],
  ['a:-x', '"-x" is not a tag', 2, 4],
  ['a:b:c', '"b:c" is not a tag', 2, 5],
  [`a:${'t'.repeat(129)}`, 'the tag of the image is longer than 128 characters', 2, 131],
  ['a@sha256:00', 'a sha256 digest has 64 hexadecimal digits', 2, 11],
  [`a@sha256:${HEX}:`, 'a sha256 digest has 64 hexadecimal digits', 2, 74],
  [`a@sha256:${HEX.toUpperCase()}`, 'a sha256 digest has 64 hexadecimal digits', 2, 73],
  ['a@md5:00', '"md5:00" is not a digest of a known algorithm', 2, 8],
  ['a@', '"" is not a digest of a known algorithm', 2, 2],
  [HEX, 'an image name cannot be 64 hexadecimal digits', 0, 64],
  ['a/'.repeat(128), 'the image name is longer than 255 characters', 0, 256],
]

for (const [text, message, start, end] of BAD) {
  test(`image ${JSON.stringify(text)} is refused: ${message}`, () => {
    assert.equal(checkImage(text), E.left({ message, start, end }))
  })
}

test('an address with a scheme is no image', () => {
  assert.equal(
    checkImage('https://x.io/y'),
    E.left({ message: '"https:" is not the name of a registry', start: 0, end: 6 }),
  )
})

test.run()
