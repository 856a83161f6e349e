import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Port } from '../../../src/domain/compose/model.ts'
import { partition } from '../../../src/domain/plan/action.ts'
import type { Plan } from '../../../src/domain/plan/plan.ts'
import { line, modelWith, port, serviceWith, written } from '../../support/compose/model.ts'
import { codesOf, ofKind, planOf } from '../../support/compose/plan.ts'

const portsFor = (ports: ReadonlyArray<Port>) =>
  ofKind(planOf(modelWith([serviceWith('web', { ports })])), 'Service')[0]?.spec.ports?.map(
    ({ name, port: number, targetPort }) => `${name} ${number}→${targetPort}`,
  )

test('a service without ports has a headless Service that publishes pods that are not ready', () => {
  const [service] = ofKind(planOf(modelWith([serviceWith('web')])), 'Service')
  assert.equal(Object.keys(service?.spec ?? {}), ['clusterIP', 'publishNotReadyAddresses', 'selector'])
  assert.is(service?.spec.clusterIP, 'None')
})

test('a published port is added after the container port if it differs and is free', () => {
  assert.equal(portsFor([port(80, { published: [8080] })]), ['p-80-tcp 80→80', 'p-8080-tcp 8080→80'])
  assert.equal(portsFor([port(80, { published: [80] })]), ['p-80-tcp 80→80'])
})

test('a published port that is also another container port leads to the latter', () => {
  assert.equal(portsFor([port(80, { published: [90] }), port(90)]), ['p-80-tcp 80→80', 'p-90-tcp 90→90'])
  const twice = [port(80, { published: [90] }), port(81, { published: [90] })]
  assert.equal(portsFor(twice), ['p-80-tcp 80→80', 'p-90-tcp 90→80', 'p-81-tcp 81→81'])
})

test('one number with two protocols is two ports', () => {
  assert.equal(portsFor([port(53), port(53, { protocol: 'UDP' })]), ['p-53-tcp 53→53', 'p-53-udp 53→53'])
})

test('the name of a port is kept if it is valid and free, else there is a warning', () => {
  const ports = [
    port(1, { name: 'http', at: line(5) }),
    port(2, { name: 'http', at: line(6) }),
    port(3, { name: 'Not legal', at: line(7) }),
    port(4, { name: 'a--b', at: line(8) }),
    port(5, { name: 'p-1-tcp', at: line(9) }),
    port(6, { name: 'sixteen-letters-', at: line(10) }),
  ]
  const names = portsFor(ports)?.map((text) => text.split(' ')[0])
  assert.equal(names, ['http', 'p-2-tcp', 'p-3-tcp', 'p-4-tcp', 'p-5-tcp', 'p-6-tcp'])
  const codes = codesOf(modelWith([serviceWith('web', { ports })]))
  assert.equal(codes, ['DT1155:6', 'DT1155:7', 'DT1155:8', 'DT1155:9', 'DT1155:10'])
})

test('endpoint_mode dnsrr makes the Service headless and keeps its ports', () => {
  const plan = planOf(modelWith([serviceWith('web', { ports: [port(80)], headless: written(true as const) })]))
  const spec = ofKind(plan, 'Service')[0]?.spec
  assert.is(spec?.clusterIP, 'None')
  assert.is(spec?.publishNotReadyAddresses, undefined)
  assert.is(spec?.ports?.length, 1)
})

const aliasesOn = (networks: ReadonlyArray<string>, ...names: ReadonlyArray<string>) => ({
  network: { hostAliases: [], aliases: names.map((name, index) => ({ ...written(name, 20 + index), networks })) },
})
const aliases = (...names: ReadonlyArray<string>) => aliasesOn(['default'], ...names)

test('each alias is a Service with the same pods', () => {
  const services = ofKind(planOf(modelWith([serviceWith('web', aliases('www', 'web', 'www'))])), 'Service')
  assert.equal(
    services.map(({ metadata }) => metadata.name),
    ['web', 'www'],
  )
  assert.equal(services[1]?.spec, services[0]?.spec)
})

test('an alias that is the name of another service is left out with a warning', () => {
  const model = modelWith([serviceWith('web', aliases('db')), serviceWith('db', {}, 9)])
  assert.equal(codesOf(model), ['DT1107:20 9'])
  assert.is(ofKind(planOf(model), 'Service').length, 2)
})

const labelsOfPods = (plan: Plan): ReadonlyArray<ReadonlyArray<string>> =>
  ofKind(plan, 'Deployment').map(({ spec }) => [...(spec.template.metadata.labels?.keys() ?? [])])

test('an alias shared by services of a network is one headless Service with the pods of all', () => {
  const services = [
    serviceWith('a', aliasesOn(['front', 'back'], 'db')),
    serviceWith('b', aliasesOn(['back'], 'db'), 2),
    serviceWith('c', {}, 3),
  ]
  const model = modelWith(services)
  const plan = planOf(model)
  const shared = ofKind(plan, 'Service').filter(({ metadata }) => metadata.name === 'db')
  assert.is(shared.length, 1)
  assert.is(shared[0]?.metadata.labels?.get('dev.devtool/service'), undefined)
  const label = 'dev.devtool/alias-7bdc25d1'
  assert.equal(shared[0]?.spec, {
    clusterIP: 'None',
    publishNotReadyAddresses: true,
    selector: new Map([
      ['dev.devtool/environment', 'shop'],
      [label, 'true'],
    ]),
  })
  assert.equal(
    labelsOfPods(plan).map((labels) => labels.includes(label)),
    [true, true, false],
  )
  assert.equal(codesOf(model), ['DT1207:20 20'])
})

test('a shared alias changes no selector of a workload or of a Service that was there before', () => {
  const selectors = (plan: Plan) =>
    partition(plan.actions).Apply.flatMap(({ object }) =>
      'spec' in object && 'selector' in object.spec && object.metadata.name !== 'db' ? [object.spec.selector] : [],
    )
  const before = planOf(modelWith([serviceWith('a'), serviceWith('b', {}, 2)]))
  const after = planOf(modelWith([serviceWith('a', aliases('db')), serviceWith('b', aliases('db'), 2)]))
  assert.equal(selectors(after), selectors(before))
})

test('a shared alias begins to select pods once they have its label, but waits for no workload that waits for others', () => {
  const dependsOn = [{ service: 'a', condition: 'service_healthy' as const, at: line(1), path: '' }]
  const services = [
    serviceWith('a', aliases('db')),
    serviceWith('b', aliases('db'), 2),
    serviceWith('c', { ...aliases('db', 'www'), dependsOn }, 3),
  ]
  const afterOf = (id: string) => planOf(modelWith(services)).actions.find((action) => action.id === id)?.after
  assert.equal(afterOf('apply/Service/db'), ['apply/Deployment/a', 'apply/Deployment/b'])
  assert.equal(afterOf('apply/Service/www'), [])
})

test('one alias on different networks is an error', () => {
  const services = [
    serviceWith('a', aliasesOn(['front'], 'db')),
    serviceWith('b', aliasesOn(['front', 'back'], 'db'), 2),
    serviceWith('c', aliasesOn(['back'], 'db'), 3),
  ]
  assert.equal(codesOf(modelWith(services)), ['DT1030:20 20'])
})

test('services of one pod that share an alias label their pod once', () => {
  const podOf = { podOf: written('a') }
  const plan = planOf(modelWith([serviceWith('a', aliases('db')), serviceWith('b', { ...aliases('db'), ...podOf }, 2)]))
  assert.equal(
    labelsOfPods(plan).map((labels) => labels.filter((label) => label.includes('alias'))),
    [['dev.devtool/alias-7bdc25d1']],
  )
})

test('a part of a plan has the aliases that its services share with others', () => {
  const services = ['a', 'b', 'c'].map((name, index) => serviceWith(name, name === 'c' ? {} : aliases('db'), index + 1))
  const namesIn = (...part: ReadonlyArray<string>) =>
    ofKind(planOf(modelWith(services, { part: new Set(part) })), 'Service').map(({ metadata }) => metadata.name)
  assert.equal(namesIn('b'), ['db', 'b'])
  assert.equal(namesIn('c'), ['c'])
})

test.run()
