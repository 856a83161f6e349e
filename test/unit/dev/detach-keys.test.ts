import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { detachAfter } from '../../../src/domain/dev/detach-keys.ts'

const [P, Q] = ['\u0010', '\u0011']
const after = (wasHalf: boolean, typed: string) => {
  const { passed, ...rest } = detachAfter(wasHalf, Buffer.from(typed))
  return [Buffer.from(passed).toString(), rest.isHalf, rest.isLeft]
}

test('Ctrl-P waits for the next key, and with Ctrl-Q it leaves', () => {
  assert.equal(after(false, 'ls\r'), ['ls\r', false, false])
  assert.equal(after(false, `a${P}`), ['a', true, false])
  assert.equal(after(true, 'b'), [`${P}b`, false, false])
  assert.equal(after(true, `${P}${Q}x`), [P, false, true])
  assert.equal(after(false, `${P}${Q}`), ['', false, true])
  assert.equal(after(false, Q), [Q, false, false])
})

test.run()
