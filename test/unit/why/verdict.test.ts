import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Observed } from '../../../src/domain/cluster/live.ts'
import { judge, type Verdict } from '../../../src/domain/why/verdict.ts'
import { container, deployed, pod } from '../../support/why/lives.ts'

const ref = { kind: 'Deployment', name: 'web' } as const

const judged = (observed: Observed, isUnchanged: boolean, wrongForMs: number): Verdict['_tag'] =>
  judge({
    await: { ref, condition: 'available' },
    object: undefined,
    isUnchanged,
    observed,
    seenForMs: () => wrongForMs,
  })._tag

const missing = deployed([
  pod('a', 'set-web-2', {
    status: container({ waiting: { reason: 'ErrImagePull', message: 'shop/web:1: not found' } }),
  }),
])

test('what cannot heal fails at once when this run brought it about', () => {
  assert.is(judged(missing, false, 0), 'Failed')
})

test('what was wrong before this run has 30 seconds to heal, and fails then', () => {
  assert.is(judged(missing, true, 29_999), 'Waiting')
  assert.is(judged(missing, true, 30_000), 'Failed')
})

test.run()
