import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Port } from '../../../src/domain/compose/model.ts'
import { line, modelWith, port, serviceWith, written } from '../../support/model.ts'
import { codesOf, ofKind, planOf } from '../../support/plan.ts'

const portsFor = (ports: ReadonlyArray<Port>) =>
  ofKind(planOf(modelWith([serviceWith('web', { ports })])), 'Service')[0]?.spec.ports?.map(
    ({ name, port: number, targetPort }) => `${name} ${number}→${targetPort}`,
  )

test('a service without ports has a headless Service that names also pods that are not ready', () => {
  const [service] = ofKind(planOf(modelWith([serviceWith('web')])), 'Service')
  assert.equal(Object.keys(service?.spec ?? {}), ['clusterIP', 'publishNotReadyAddresses', 'selector'])
  assert.is(service?.spec.clusterIP, 'None')
})

test('the published port follows the container port when it is another and free', () => {
  assert.equal(portsFor([port(80, { published: [8080] })]), ['p-80-tcp 80→80', 'p-8080-tcp 8080→80'])
  assert.equal(portsFor([port(80, { published: [80] })]), ['p-80-tcp 80→80'])
})

test('a published port that another container port has is left to that', () => {
  assert.equal(portsFor([port(80, { published: [90] }), port(90)]), ['p-80-tcp 80→80', 'p-90-tcp 90→90'])
  const twice = [port(80, { published: [90] }), port(81, { published: [90] })]
  assert.equal(portsFor(twice), ['p-80-tcp 80→80', 'p-90-tcp 90→80', 'p-81-tcp 81→81'])
})

test('one number with two protocols is two ports', () => {
  assert.equal(portsFor([port(53), port(53, { protocol: 'UDP' })]), ['p-53-tcp 53→53', 'p-53-udp 53→53'])
})

test('the name of a port is kept when it is legal and free, else there is a warning', () => {
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

const aliases = (...names: ReadonlyArray<string>) => ({
  network: { hostAliases: [], aliases: names.map((name, index) => written(name, 20 + index)) },
})

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

test.run()
