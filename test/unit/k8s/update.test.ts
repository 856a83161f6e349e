import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { ComposeService, WorkloadKind } from '../../../src/domain/compose/model.ts'
import { line, modelWith, port, serviceWith, written } from '../../support/compose/model.ts'
import { codesOf, ofKind, planOf } from '../../support/compose/plan.ts'

const KINDS: ReadonlyArray<WorkloadKind> = [
  { _tag: 'Deployment', at: line(1) },
  { _tag: 'StatefulSet', at: line(1) },
  { _tag: 'DaemonSet', at: line(1) },
  { _tag: 'Job', restart: 'Never', attempts: 0, at: line(1) },
]
const ALLOWED: Readonly<Record<string, ReadonlyArray<string>>> = {
  rolling: ['Deployment', 'StatefulSet'],
  recreate: ['Deployment'],
  'on-delete': ['StatefulSet'],
}

for (const value of ['rolling', 'recreate', 'on-delete'] as const) {
  for (const kind of KINDS) {
    const isAllowed = ALLOWED[value]?.includes(kind._tag) === true
    test(`${value} is ${isAllowed ? 'possible' : 'an error'} on a ${kind._tag}`, () => {
      const model = modelWith([serviceWith('web', { kind, update: written(value, 7) })])
      assert.equal(codesOf(model), isAllowed ? [] : ['DT1035:7'])
    })
  }
}

const strategy = (more: Partial<ComposeService>) =>
  ofKind(planOf(modelWith([serviceWith('web', more)])), 'Deployment')[0]?.spec.strategy

test('without settings the update strategy is left to Kubernetes', () => {
  assert.is(strategy({}), undefined)
})

test('when old and new pods cannot run together, the old one is stopped first', () => {
  const recreate = { type: 'Recreate' }
  assert.equal(strategy({ ports: [port(80, { hostPort: 80 })] }), recreate)
  assert.equal(strategy({ network: { hostAliases: [], aliases: [], hostNetwork: written(true as const) } }), recreate)
  const gpu = written({ name: 'nvidia.com/gpu', count: 1 })
  assert.equal(strategy({ resources: { requests: {}, limits: {}, gpu } }), recreate)
  assert.equal(strategy({ ports: [port(80, { hostPort: 80 })], update: written('rolling' as const) }), {
    type: 'RollingUpdate',
  })
})

test('update_config sets the order and the parallelism of an update', () => {
  const rolling = (maxSurge: number | string, maxUnavailable: number | string) => ({
    type: 'RollingUpdate',
    rollingUpdate: { maxSurge, maxUnavailable },
  })
  assert.equal(strategy({ updateConfig: { order: 'start-first', parallelism: 2 } }), rolling(2, 0))
  assert.equal(strategy({ updateConfig: { order: 'stop-first' } }), rolling(0, 1))
  assert.equal(strategy({ updateConfig: { parallelism: 0 } }), rolling('100%', 0))
  assert.equal(strategy({ updateConfig: { order: 'stop-first', parallelism: 0 } }), { type: 'Recreate' })
})

test('an impossible update_config is a warning', () => {
  const stateful: WorkloadKind = { _tag: 'StatefulSet', at: line(1) }
  const updateConfig = { at: line(3), order: 'start-first' } as const
  assert.equal(codesOf(modelWith([serviceWith('web', { kind: stateful, updateConfig })])), ['DT1153:3'])
  assert.equal(codesOf(modelWith([serviceWith('web', { kind: stateful, updateConfig: { parallelism: 1 } })])), [])
})

test('a DaemonSet with a host port never starts the new one first', () => {
  const kind: WorkloadKind = { _tag: 'DaemonSet', at: line(1) }
  const service = serviceWith('web', { kind, ports: [port(80, { hostPort: 80 })], updateConfig: { parallelism: 2 } })
  assert.equal(ofKind(planOf(modelWith([service])), 'DaemonSet')[0]?.spec.updateStrategy?.rollingUpdate, {
    maxSurge: 0,
    maxUnavailable: 2,
  })
})

test.run()
