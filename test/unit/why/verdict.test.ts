import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Observed } from '../../../src/domain/cluster/live.ts'
import { judge, type Verdict } from '../../../src/domain/why/verdict.ts'
import { container, deployed, pod } from '../../support/why/lives.ts'

const ref = { kind: 'Deployment', name: 'web' } as const

const judged = (observed: Observed, isUnchanged: boolean, wrongForMs: number): Verdict['_tag'] =>
  judge({
    await: { ref, condition: 'available' },
    publicPorts: [],
    mayProbe: true,
    open: { pod: '', ports: new Set() },
    followed: new Map(),
    isLooping: () => false,
    isUnchanged,
    observed,
    seenForMs: () => wrongForMs,
  })._tag

const missing = deployed([
  pod('a', 'set-web-2', {
    status: container({ waiting: { reason: 'ErrImagePull', message: 'shop/web:1: not found' } }),
  }),
])

test('a final problem that this run caused fails at once', () => {
  assert.is(judged(missing, false, 0), 'Failed')
})

test('a problem from before this run fails after 30 seconds', () => {
  assert.is(judged(missing, true, 29_999), 'Waiting')
  assert.is(judged(missing, true, 30_000), 'Failed')
})

test.run()
