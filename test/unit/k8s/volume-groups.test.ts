import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { ComposeService } from '../../../src/domain/compose/model.ts'
import type { Mount } from '../../../src/domain/compose/volume-model.ts'
import { anonymous, line, modelWith, named, serviceWith, volume, written } from '../../support/compose/model.ts'
import { codesOf, isWorkload, objectsIn, planOf } from '../../support/compose/plan.ts'

const stateful = (
  name: string,
  mounts: ReadonlyArray<Mount>,
  more: Partial<ComposeService> = {},
  number = 1,
): ComposeService => serviceWith(name, { kind: { _tag: 'StatefulSet', at: line(number) }, mounts, ...more }, number)

const volumes = ['a', 'b', 'c'].map((name) => volume(name))

const groups = (services: ReadonlyArray<ComposeService>, volumeAffinity = true) =>
  objectsIn(planOf(modelWith(services, { volumes }), { volumeAffinity }))
    .filter(isWorkload)
    .map(({ metadata, spec: { template } }) => {
      const label = template.metadata.labels.get('dev.devtool/volume-group')
      const terms = template.spec.affinity?.podAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []
      assert.is(terms.length, label === undefined ? 0 : 1)
      assert.is(terms[0]?.labelSelector.matchLabels.get('dev.devtool/volume-group'), label)
      return `${metadata.name} ${label}`
    })

test('services connected by shared volumes are one group, named after its first claim', () => {
  const services = [
    stateful('w', [named('c', '/1')]),
    stateful('x', [named('b', '/1'), named('c', '/2')]),
    stateful('y', [named('a', '/1'), named('b', '/2')]),
  ]
  assert.equal(groups(services), ['w a', 'x a', 'y a'])
  assert.equal(groups(services.toReversed()), ['y a', 'x a', 'w a'])
})

test('a group of one service has an affinity term only with several replicas', () => {
  assert.equal(groups([stateful('w', [named('a', '/1')])]), ['w undefined'])
  assert.equal(groups([stateful('w', [named('a', '/1')], { replicas: written(2) })]), ['w a'])
  assert.equal(groups([stateful('w', [anonymous('/1')], { replicas: written(2) })]), ['w undefined'])
})

test('two claims with no service between them are two groups', () => {
  const services = [
    stateful('w', [named('a', '/1')]),
    stateful('x', [named('a', '/1')]),
    stateful('y', [named('b', '/1')]),
    stateful('z', [named('b', '/1')]),
  ]
  assert.equal(groups(services), ['w a', 'x a', 'y b', 'z b'])
})

test('an external claim connects services like any other', () => {
  const outside = [volume('p', { isExternal: true, object: 'x.y' }), volume('q', { isExternal: true, object: 'x.y' })]
  const services = [stateful('w', [named('p', '/1')]), stateful('x', [named('q', '/1')])]
  const labels = objectsIn(planOf(modelWith(services, { volumes: outside })))
    .filter(isWorkload)
    .map(({ spec }) => spec.template.metadata.labels.get('dev.devtool/volume-group'))
  assert.equal(labels, ['x-y', 'x-y'])
})

test('volume affinity can be switched off', () => {
  const services = [stateful('w', [named('a', '/1')]), stateful('x', [named('a', '/1')])]
  assert.equal(groups(services, false), ['w undefined', 'x undefined'])
})

const on = (value: string, number: number, name = 'disk') => ({
  placement: { nodeSelector: [{ name, value, at: line(number) }], expressions: [], spread: [] },
})

test('a different node selector within a group is an error at the selector', () => {
  const [first, second] = [stateful('w', [named('a', '/1')], on('ssd', 5), 4), [named('a', '/1')]]
  const codes = (more: Partial<ComposeService>) =>
    codesOf(modelWith([first, stateful('x', second, more, 9)], { volumes }))
  assert.equal(codes(on('hdd', 10)), ['DT1040:10 4'])
  assert.equal(codes({}), ['DT1040:9 4'])
  assert.equal(codes(on('ssd', 10)), [])
})

test('a platform is not a different node unless it contradicts', () => {
  const arch = 'kubernetes.io/arch'
  const plain = stateful('w', [named('a', '/1')])
  const amd = stateful('x', [named('a', '/1')], on('amd64', 5, arch))
  assert.equal(codesOf(modelWith([plain, amd], { volumes })), [])
  assert.equal(codesOf(modelWith([amd, stateful('y', [named('a', '/1')], on('arm64', 6, arch))], { volumes })), [
    'DT1040:6 1',
  ])
})

test('a global service has no claim', () => {
  const all: Partial<ComposeService> = { kind: { _tag: 'DaemonSet', at: line(1) } }
  const model = modelWith([serviceWith('w', { ...all, mounts: [named('a', '/1', 3), anonymous('/2', 4)] })], {
    volumes,
  })
  assert.equal(codesOf(model), ['DT1040:3', 'DT1040:4'])
  assert.equal(codesOf(model, { volumeAffinity: false }), ['DT1040:3', 'DT1040:4'])
})

test('a global service with one volume for all replicas is an error', () => {
  const placement = { nodeSelector: [], expressions: [], spread: [], onePerNode: written(true as const, 8) }
  const service = stateful('w', [named('a', '/1')], { replicas: written(2), placement })
  assert.equal(codesOf(modelWith([service], { volumes })), ['DT1040:8'])
})

test.run()
