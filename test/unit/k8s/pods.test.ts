import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { ComposeService, WorkloadKind } from '../../../src/domain/compose/model.ts'
import {
  anonymous,
  dependency,
  line,
  modelWith,
  named,
  port,
  serviceWith,
  volume,
  written,
} from '../../support/compose/model.ts'
import { appliesIn, codesOf, objectsIn, ofKind, planOf, templateIn } from '../../support/compose/plan.ts'
import { translateFiles } from '../../support/compose/project.ts'

const inPodOf = (owner: string, name: string, more: Partial<ComposeService> = {}, number = 20): ComposeService =>
  serviceWith(name, { podOf: written(owner, number), ...more }, number)

const namesOf = (services: ReadonlyArray<ComposeService>) =>
  objectsIn(planOf(modelWith(services))).map(({ kind, metadata }) => `${kind} ${metadata.name}`)

const specOf = (services: ReadonlyArray<ComposeService>) => templateIn(planOf(modelWith(services)))?.spec

const job = (restart: 'Never' | 'OnFailure', number = 1): WorkloadKind => ({ _tag: 'Job', restart, at: line(number) })

test('a service in the pod of another is a container there, and its Service selects that pod', () => {
  const services = [serviceWith('web'), inPodOf('web', 'log')]
  assert.equal(namesOf(services), ['Deployment web', 'Service web', 'Service log'])
  assert.equal(
    specOf(services)?.containers.map(({ name }) => name),
    ['web', 'log'],
  )
  const [, log] = ofKind(planOf(modelWith(services)), 'Service')
  assert.is(log?.spec.selector.get('dev.devtool/service'), 'web')
  assert.is(log?.metadata.labels?.get('dev.devtool/service'), 'log')
})

test('services in nested pods join the outermost pod, whatever the order of the file', () => {
  const services = [inPodOf('b', 'c'), inPodOf('a', 'b'), serviceWith('a')]
  assert.equal(namesOf(services), ['Service c', 'Service b', 'Deployment a', 'Service a'])
  assert.equal(
    specOf(services)?.containers.map(({ name }) => name),
    ['a', 'c', 'b'],
  )
})

test('the pod has the longest grace period of its services, including the default', () => {
  const graceOf = (own?: number, other?: number) => {
    const grace = (seconds?: number) => (seconds === undefined ? {} : { graceSeconds: written(seconds) })
    return specOf([serviceWith('web', grace(own)), inPodOf('web', 'log', grace(other))])?.terminationGracePeriodSeconds
  }
  assert.equal([graceOf(5, 60), graceOf(60, 5), graceOf(5), graceOf(undefined, 5), graceOf(5, 6)], [60, 60, 10, 10, 6])
})

const selecting = (value: string, number: number): Partial<ComposeService> => ({
  placement: { nodeSelector: [{ name: 'disk', value, at: line(number) }], expressions: [], spread: [] },
})

test('node labels are combined, and contradicting ones are an error', () => {
  const joined = [serviceWith('web'), inPodOf('web', 'log', selecting('ssd', 4))]
  assert.equal([...(specOf(joined)?.nodeSelector ?? [])], [['disk', 'ssd']])
  assert.equal(codesOf(modelWith(joined)), [])
  const apart = [serviceWith('web', selecting('hdd', 3)), inPodOf('web', 'log', selecting('ssd', 4))]
  assert.equal(codesOf(modelWith(apart)), ['DT1038:4 3'])
})

test('a Job and a long-running service cannot share a pod; two Jobs use the policy of the first', () => {
  assert.equal(codesOf(modelWith([serviceWith('web'), inPodOf('web', 'once', { kind: job('Never', 7) })])), [
    'DT1038:7 1',
  ])
  assert.equal(codesOf(modelWith([serviceWith('once', { kind: job('Never', 3) }), inPodOf('once', 'log')])), [
    'DT1038:20 3',
  ])
  const jobs = [serviceWith('once', { kind: job('Never') }), inPodOf('once', 'log', { kind: job('OnFailure', 8) })]
  assert.equal(codesOf(modelWith(jobs)), ['DT1110:8'])
})

test('different values of a setting that exists once per pod are a warning', () => {
  const own = { network: { hostAliases: [], aliases: [], hostname: written('a') }, replicas: written(2) }
  const other = { network: { hostAliases: [], aliases: [], hostname: written('b', 5) }, replicas: written(3, 6) }
  assert.equal(codesOf(modelWith([serviceWith('web', own), inPodOf('web', 'log', own)])), [])
  assert.equal(codesOf(modelWith([serviceWith('web', own), inPodOf('web', 'log', other)])), ['DT1110:5 6'])
})

test('a port of two containers in one pod is listed once, with a warning', () => {
  const services = [
    serviceWith('web', { ports: [port(80)] }),
    inPodOf('web', 'log', { ports: [port(80, { at: line(4) }), port(81), port(80, { protocol: 'UDP' })] }),
  ]
  assert.equal(
    specOf(services)?.containers.map(({ ports }) => ports?.map(({ containerPort }) => containerPort)),
    [[80], [81, 80]],
  )
  assert.equal(codesOf(modelWith(services)), ['DT1110:4'])
})

test('the pod waits for the dependencies of its services, and dependents wait for the pod', () => {
  const services = [
    serviceWith('db'),
    serviceWith('web'),
    inPodOf('web', 'log', { dependsOn: [dependency('web'), dependency('db', 'service_healthy')] }),
    inPodOf('web', 'trace', { dependsOn: [dependency('log')] }),
    serviceWith('front', { dependsOn: [dependency('web'), dependency('log', 'service_healthy', 9)] }),
  ]
  const plan = planOf(modelWith(services))
  const after = new Map(plan.actions.map(({ id, after: ids }) => [id, ids]))
  assert.equal(after.get('apply/Deployment/web'), ['await/db/service_healthy'])
  assert.equal(after.get('apply/Deployment/front'), ['await/web/service_healthy'])
  assert.equal(after.get('await/web/service_healthy'), ['apply/Deployment/web'])
})

test('a condition between services of one pod is a warning', () => {
  const log = inPodOf('web', 'log', { dependsOn: [dependency('web', 'service_healthy', 4)] })
  assert.equal(codesOf(modelWith([serviceWith('web'), log])), ['DT1110:4'])
})

test('a volume of one service makes the pod a StatefulSet; anonymous volumes are separate, named ones are shared', () => {
  const services = [
    serviceWith('web', { mounts: [named('data', '/data')] }),
    inPodOf('web', 'log', { mounts: [named('data', '/in'), anonymous('/x')] }),
    inPodOf('web', 'trace', { mounts: [anonymous('/x')] }),
  ]
  const [set] = ofKind(planOf(modelWith(services, { volumes: [volume('data')] })), 'StatefulSet')
  assert.equal(
    set?.spec.volumeClaimTemplates?.map(({ metadata }) => metadata.name),
    ['log-x', 'trace-x'],
  )
  assert.equal(
    set?.spec.template.spec.volumes?.map(({ name }) => name),
    ['data'],
  )
  assert.equal(
    set?.spec.template.spec.containers.map(({ volumeMounts }) => volumeMounts?.map(({ name }) => name)),
    [['data'], ['data', 'log-x'], ['trace-x']],
  )
})

test('a pod is kept on the node of other pods that share a volume with one of its services', () => {
  const mounts = [named('data', '/data')]
  const services = [
    serviceWith('web'),
    inPodOf('web', 'log', { mounts }),
    serviceWith('db', { mounts, kind: { _tag: 'StatefulSet', at: line(1) } }),
  ]
  const groups = objectsIn(planOf(modelWith(services, { volumes: [volume('data')] }))).flatMap((object) =>
    object.kind === 'StatefulSet' ? [object.spec.template.metadata.labels?.get('dev.devtool/volume-group')] : [],
  )
  assert.equal(groups, ['data', 'data'])
})

test('origins of a joined service point to its lines', () => {
  const [web, , log] = appliesIn(planOf(modelWith([serviceWith('web'), inPodOf('web', 'log')])))
  const places = web?.origins.map(({ path, at }) => `${path}:${at.line}`) ?? []
  assert.ok(places.includes('spec.template.spec.containers[1]:20'))
  assert.ok(places.includes('spec.template.spec.containers[1].image:20'))
  assert.ok(log?.origins.some(({ path, at }) => path === 'spec.selector' && at.line === 20))
})

const compose = (text: string, services: ReadonlyArray<string> = []) =>
  translateFiles({ 'compose.yaml': text }, { services })

const shared = 'services:\n  a: {image: x}\n  b: {image: x, network_mode: "service:a"}\n'

test('services of one pod are deployed together, whichever of them is named', () => {
  const applied = (chosen: string) => compose(shared, [chosen]).plan?.actions.map(({ id }) => id)
  assert.equal(applied('a'), ['apply/Deployment/a', 'apply/Service/a', 'apply/Service/b'])
  assert.equal(applied('b'), applied('a'))
})

test('pods that wait for each other are a cycle, even when their services are not', () => {
  const text = `services:
  a: {image: x}
  b: {image: x, network_mode: "service:a", depends_on: [c]}
  c: {image: x, depends_on: [a]}
`
  assert.equal(
    compose(text).findings.map(({ code, at }) => `${code}:${at?.line}`),
    ['DT1014:4'],
  )
})

test('a service that waits for one in its own pod is in a cycle', () => {
  const text = shared.replace('a: {image: x}', 'a: {image: x, depends_on: [b]}')
  assert.equal(
    compose(text).findings.map(({ code }) => code),
    ['DT1014'],
  )
})

test.run()
