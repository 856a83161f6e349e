import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { withChanges } from '../../../src/domain/sync/base.ts'
import { newCycle, percentOf } from '../../../src/domain/sync/cycle-state.ts'

const file = { _tag: 'File', hash: 'a', size: 1, isExecutable: false } as const
const started = newCycle(() => 'two-way')
const base = withChanges(started.base, [
  ['a', file],
  ['b/c', file],
  ['left', { _tag: 'Left', entry: file }],
])

test('progress is the share of finished files among finished and pending ones', () => {
  const open = [{ _tag: 'Remove', end: 'there', path: 'd', expect: file }] as const
  assert.is(percentOf({ ...started, base, open }), 66)
})

test('100 % is reported only when a complete listing has found nothing to do', () => {
  assert.is(percentOf({ ...started, base }), 99)
  assert.is(percentOf({ ...started, base, isComplete: true }), 100)
  assert.is(percentOf(started), 0)
})

test.run()
