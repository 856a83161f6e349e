/** Waiting for a condition, as steps: what is wrong is timed from when it was first seen, and every wait has an end. */
import * as fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Observed } from '../../src/domain/cluster/live.ts'
import type { Action } from '../../src/domain/plan/action.ts'
import { beginWaiting, stepWaiting, type WaitEvent, type WaitStep } from '../../src/domain/why/waiting.ts'
import { container, deployed, pod, readyStatus } from '../support/why/lives.ts'

const wanted: Action<'Await'> = {
  _tag: 'Await',
  id: 'web:available',
  after: [],
  ref: { kind: 'Deployment', name: 'web' },
  condition: 'available',
  service: 'web',
}

const missing = deployed([
  pod('a', 'set-web-2', {
    status: container({ waiting: { reason: 'ErrImagePull', message: 'shop/web:1: not found' } }),
  }),
])
const starting = deployed([pod('a', 'set-web-2', { status: container({ waiting: { reason: 'ContainerCreating' } }) })])
const ready = deployed([pod('a', 'set-web-2', { status: readyStatus })])

const looked = (observed: Observed, atMs: number, isUnchanged = true): WaitEvent => ({
  _tag: 'Looked',
  atMs,
  seen: { publicPorts: [], isUnchanged, isBlocked: false, observed },
})

const after = (events: ReadonlyArray<WaitEvent>): ReadonlyArray<WaitStep> => {
  let state = beginWaiting
  return events.map((event) => {
    const step = stepWaiting(wanted, state, event)
    state = step.state
    return step
  })
}

const pauses = fc.array(fc.integer({ min: 1, max: 8000 }), { minLength: 1, maxLength: 30 })

test('an earlier problem fails at the first check 30 seconds after it was first seen', () =>
  fc.assert(
    fc.property(pauses, fc.nat(1_000_000), (gaps, beginMs) => {
      const times = gaps.reduce<ReadonlyArray<number>>((all, gap) => [...all, (all.at(-1) ?? beginMs) + gap], [beginMs])
      const steps = after(times.map((atMs) => looked(missing, atMs)))
      const ended = steps.findIndex(({ command }) => command._tag === 'End')
      assert.is(
        ended,
        times.findIndex((atMs) => atMs - beginMs >= 30_000),
      )
    }),
  ))

test('aborting ends every state at once, with the last observation', () =>
  fc.assert(
    fc.property(fc.array(fc.constantFrom(missing, starting, ready)), (seen) => {
      const steps = after([...seen.map((observed, turn) => looked(observed, turn)), { _tag: 'Ended' }])
      const last = steps.at(-1)?.command
      assert.ok(last?._tag === 'End' && last.waited._tag === 'Aborted')
      assert.is(last.waited.detail, steps.at(-2)?.state.detail ?? 'starting')
    }),
  ))

test('a closed port is probed again; one that may not be probed is remembered', () => {
  const [closed] = after([{ _tag: 'Probed', pod: 'web-1', ports: [8080], open: [] }])
  assert.equal(closed?.command, { _tag: 'Pause', ms: 500 })
  const [forbidden] = after([{ _tag: 'Forbidden', pod: 'web-1', port: 80 }])
  assert.equal([forbidden?.command._tag, forbidden?.state.forbidden], ['Look', { pod: 'web-1', port: 80 }])
})

test('step does not change the given state', () => {
  stepWaiting(wanted, beginWaiting, looked(missing, 5))
  assert.equal([...beginWaiting.history.since], [])
})

test.run()
