import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { defined } from '../../../src/domain/object/defined.ts'

test('undefined members are left out, and no others', () => {
  assert.equal(Object.keys(defined({ a: undefined, b: null, c: false, d: 0, e: '', f: undefined })), [
    'b',
    'c',
    'd',
    'e',
  ])
})

test('the order of members is kept', () => {
  const late: string | undefined = undefined
  assert.is(JSON.stringify({ z: 1, ...defined({ y: 2, late, a: 3 }), b: 4 }), '{"z":1,"y":2,"a":3,"b":4}')
})

test('the argument is not changed', () => {
  const given = { a: undefined, b: { c: undefined } }
  const kept = defined(given)
  assert.equal(Object.keys(given), ['a', 'b'])
  assert.is(kept.b, given.b)
})

test.run()
