import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { dnsLabel, isDnsLabel } from '../../../src/domain/text/dns-name.ts'
import { sha256 } from '../../../src/domain/text/sha256.ts'

const hash = (name: string): string => sha256(name).slice(0, 8)

const CASES: ReadonlyArray<readonly [string, string]> = [
  ['web', 'web'],
  ['a', 'a'],
  ['my_web', 'my-web'],
  ['My Web.App', 'my-web-app'],
  ['2048', 's-2048'],
  ['1.a', 's-1-a'],
  ['-web-', 'web'],
  ['__proto__', 'proto'],
  ['a--b', 'a--b'],
  ['café', 'caf'],
  ['a😀b', 'a-b'],
  ['___', `s-${hash('___')}`],
  ['', `s-${hash('')}`],
  ['日本', `s-${hash('日本')}`],
  ['a'.repeat(63), 'a'.repeat(63)],
  ['a'.repeat(64), `${'a'.repeat(54)}-${hash('a'.repeat(64))}`],
  ['A'.repeat(64), `${'a'.repeat(54)}-${hash('A'.repeat(64))}`],
  [`${'a'.repeat(53)}_${'b'.repeat(20)}`, `${'a'.repeat(53)}-${hash(`${'a'.repeat(53)}_${'b'.repeat(20)}`)}`],
  ['1'.repeat(63), `s-${'1'.repeat(52)}-${hash('1'.repeat(63))}`],
]

for (const [name, label] of CASES) {
  test(`the label of "${name}" is ${label}`, () => {
    assert.is(dnsLabel(name), label)
    assert.ok(isDnsLabel(label))
  })
}

test('a shorter limit cuts the text there', () => {
  assert.is(dnsLabel('a'.repeat(52), 52), 'a'.repeat(52))
  assert.is(dnsLabel('a'.repeat(53), 52), `${'a'.repeat(43)}-${hash('a'.repeat(53))}`)
})

test('valid and invalid labels are told apart', () => {
  const bad = ['', '-a', 'a-', '1a', 'A', 'a_b', 'a.b', 'é', 'a\n', 'a'.repeat(64)]
  assert.equal(bad.filter(isDnsLabel), [])
  assert.ok(['a', 'a1', 'a-b', 'a--b', 'a'.repeat(63)].every(isDnsLabel))
})

test.run()
