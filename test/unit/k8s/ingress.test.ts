import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Endpoint, Model } from '../../../src/domain/compose/model.ts'
import { dnsLabel } from '../../../src/domain/text/dns-name.ts'
import type { DeployTarget } from '../../../src/domain/translate/target.ts'
import { line, modelWith, port, serviceWith } from '../../support/compose/model.ts'
import { codesOf, ofKind, planOf } from '../../support/compose/plan.ts'

const open = (number: number, at = 1) => port(number, { isPublic: true, at: line(at) })

const endpoint = (key: string, rules: ReadonlyArray<readonly [string, string, number]>, number = 50): Endpoint => ({
  key,
  object: dnsLabel(key),
  annotations: [],
  rules: rules.map(([path, service, to], index) => ({ path, service, port: to, at: line(number + 1 + index) })),
  at: line(number),
})

const shown = (model: Model, more: Partial<DeployTarget> = {}): ReadonlyArray<string> =>
  ofKind(planOf(model, more), 'Ingress').flatMap(({ metadata, spec }) =>
    spec.rules.map(({ host, http }) =>
      [
        metadata.name,
        host,
        ...http.paths.map(({ path, backend: { service } }) => `${path}=${service.name}:${service.port.number}`),
      ].join(' '),
    ),
  )

test('a public port has an Ingress named after its service', () => {
  assert.equal(shown(modelWith([serviceWith('web', { ports: [open(80)] })])), ['web web-default.localhost /=web:80'])
})

test('several public ports have one Ingress each', () => {
  const model = modelWith([serviceWith('web', { ports: [open(80), open(90), port(91)] })])
  assert.equal(shown(model, { namespace: 'dev', domain: 'example.com' }), [
    'web-80 web-80-dev.example.com /=web:80',
    'web-90 web-90-dev.example.com /=web:90',
  ])
})

test('TLS is configured only with a domain, and class and secret only if given', () => {
  const model = modelWith([serviceWith('web', { ports: [open(80)] })])
  assert.equal(Object.keys(ofKind(planOf(model), 'Ingress')[0]?.spec ?? {}), ['rules'])
  const [ingress] = ofKind(planOf(model, { domain: 'd.io', ingressClass: 'nginx', tlsSecret: 's' }), 'Ingress')
  assert.is(ingress?.spec.ingressClassName, 'nginx')
  assert.equal(ingress?.spec.tls, [{ hosts: ['web-default.d.io'], secretName: 's' }])
  assert.equal(ofKind(planOf(model, { domain: 'd.io' }), 'Ingress')[0]?.spec.tls, [{ hosts: ['web-default.d.io'] }])
})

test('a label over 63 characters is cut and ends in a hash', () => {
  const name = 'w'.repeat(60)
  const [text] = shown(modelWith([serviceWith(name, { ports: [open(80)] })]))
  assert.is(text?.split(' ')[1], `${dnsLabel(`${name}-default`)}.localhost`)
  assert.is(text?.split(' ')[1]?.indexOf('.'), 63)
})

test('an endpoint uses the container port, also if the published port is named', () => {
  const services = [serviceWith('api', { ports: [port(3000, { published: [80] })] })]
  const endpoints = [
    endpoint('shop', [
      ['/a', 'api', 80],
      ['/b', 'api', 3000],
    ]),
  ]
  assert.equal(shown(modelWith(services, { endpoints })), ['shop shop-default.localhost /a=api:3000 /b=api:3000'])
})

test('a rule without a TCP port makes no route', () => {
  const services = [serviceWith('api', { ports: [port(53, { protocol: 'UDP' }), port(80)] })]
  const rules: ReadonlyArray<readonly [string, string, number]> = [
    ['/', 'api', 53],
    ['/api', 'api', 80],
  ]
  assert.equal(shown(modelWith(services, { endpoints: [endpoint('e', rules)] })), ['e e-default.localhost /api=api:80'])
})

test('routes of one host share an Ingress, the endpoint first', () => {
  const services = [serviceWith('web', { ports: [open(80)] }), serviceWith('api', { ports: [port(3000)] })]
  const endpoints = [endpoint('web', [['/api', 'api', 3000]])]
  assert.equal(shown(modelWith(services, { endpoints })), ['web web-default.localhost /api=api:3000 /=web:80'])
})

test('one address with two backends is an error at both places', () => {
  const services = [serviceWith('web', { ports: [open(80, 7)] }), serviceWith('api', { ports: [port(3000)] })]
  const endpoints = [endpoint('web', [['/', 'api', 3000]])]
  assert.equal(codesOf(modelWith(services, { endpoints })), ['DT1034:7 51'])
})

test('a trailing slash makes no difference to a path', () => {
  const services = [serviceWith('api', { ports: [port(1), port(2)] })]
  const same = [
    endpoint('e', [
      ['/a', 'api', 1],
      ['/a/', 'api', 1],
    ]),
  ]
  assert.equal(shown(modelWith(services, { endpoints: same })), ['e e-default.localhost /a=api:1'])
  const other = [
    endpoint('e', [
      ['/a', 'api', 1],
      ['/a/', 'api', 2],
    ]),
  ]
  assert.equal(codesOf(modelWith(services, { endpoints: other })), ['DT1034:52 51'])
})

test('a service can have the same host as a port of another one', () => {
  const services = [
    serviceWith('web', { ports: [open(80, 3), open(81, 4)] }),
    serviceWith('web-80', { ports: [open(1, 9)] }),
  ]
  assert.equal(codesOf(modelWith(services)), ['DT1034:9 3'])
})

test.run()
