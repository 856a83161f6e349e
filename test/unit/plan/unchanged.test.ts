import * as fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { isObject, type Json, type JsonObject } from '../../../src/domain/cluster/json.ts'
import type { ClusterObject } from '../../../src/domain/cluster/live.ts'
import { isUnchanged } from '../../../src/domain/plan/unchanged.ts'
import { printJsonLine } from '../../../src/domain/print/json.ts'
import { applyOwned, managedFields } from '../../memory/ownership.ts'
import { arbitraryModel } from '../../support/arbitrary/model.ts'
import { objectsIn, planOf } from '../../support/compose/plan.ts'

const image = (name: string) => ({ 'f:name': {}, 'f:image': {}, ...(name === '' ? {} : { [name]: {} }) })

const fields = (container: JsonObject = image('')): JsonObject => ({
  'f:metadata': { 'f:labels': { 'f:app': {} } },
  'f:spec': { 'f:containers': { 'k:{"name":"web"}': { '.': {}, ...container } } },
})

const entry = (more: JsonObject = {}, fieldsV1: JsonObject = fields()): JsonObject => ({
  manager: 'devtool',
  operation: 'Apply',
  apiVersion: 'v1',
  fieldsV1,
  ...more,
})

const live = (containers: ReadonlyArray<Json>, managers: ReadonlyArray<JsonObject>, more = {}): ClusterObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', uid: '1', resourceVersion: '1', labels: { app: 'web' }, managedFields: managers, ...more },
  spec: { containers },
})

const body = (container: JsonObject = {}): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', namespace: 'dev', labels: { app: 'web' } },
    spec: { containers: [{ name: 'web', image: 'nginx', ...container }] },
  })

const web = { name: 'web', image: 'nginx' }
const defaults = { imagePullPolicy: 'Always' }

type Case = readonly [string, boolean, string, ClusterObject]

const ports = {
  ...image('f:ports'),
  'f:ports': { 'k:{"containerPort":80,"protocol":"TCP"}': { '.': {}, 'f:containerPort': {} } },
}
const env = {
  ...image(''),
  'f:env': { 'k:{"name":"A"}': { 'f:name': {}, 'f:value': {} }, 'k:{"name":"B"}': { 'f:name': {}, 'f:value': {} } },
}
const limits = { ...image(''), 'f:resources': { 'f:limits': { 'f:cpu': {} } } }
const [a, b] = [
  { name: 'A', value: '1' },
  { name: 'B', value: '' },
]

const cases: ReadonlyArray<Case> = [
  ['what was applied', true, body(), live([web], [entry()])],
  ['with defaults of the server', true, body(), live([{ ...web, ...defaults }], [entry()])],
  [
    'beside items of other managers',
    true,
    body(),
    live([{ name: 'proxy', image: 'envoy' }, web], [entry(), entry({ manager: 'mesh' })]),
  ],
  ['another value', false, body({ image: 'nginx:2' }), live([web], [entry()])],
  ['a field more in the body', false, body({ tty: true }), live([{ ...web, tty: true }], [entry()])],
  ['a field less in the body', false, body(), live([{ ...web, tty: true }], [entry({}, fields(image('f:tty')))])],
  [
    'a field that somebody else took over',
    false,
    body(),
    live([web], [entry({}, fields({ 'f:name': {} })), entry({ manager: 'edit', operation: 'Update' })]),
  ],
  ['applied by another manager', false, body(), live([web], [entry({ manager: 'kubectl' })])],
  ['updated, not applied', false, body(), live([web], [entry({ operation: 'Update' })])],
  ['applied to a subresource', false, body(), live([web], [entry({ subresource: 'scale' })])],
  ['applied in another version', false, body(), live([web], [entry({ apiVersion: 'v1beta1' })])],
  ['applied twice, in two versions', false, body(), live([web], [entry(), entry({ apiVersion: 'v1beta1' })])],
  ['nobody known to manage it', false, body(), live([web], [])],
  ['it is being deleted', false, body(), live([web], [entry()], { deletionTimestamp: '2026-01-01T00:00:00Z' })],
  ['only its metadata is known', false, body(), { ...live([], [entry()]), spec: undefined }],
  ['an item that is gone', false, body(), live([], [entry()])],
  [
    'a port without its protocol',
    true,
    body({ ports: [{ containerPort: 80 }] }),
    live([{ ...web, ports: [{ containerPort: 80, protocol: 'TCP' }] }], [entry({}, fields(ports))]),
  ],
  [
    'a quantity in other words',
    true,
    body({ resources: { limits: { cpu: '1000m' } } }),
    live([{ ...web, resources: { limits: { cpu: '1' } } }], [entry({}, fields(limits))]),
  ],
  [
    'another quantity',
    false,
    body({ resources: { limits: { cpu: '100m' } } }),
    live([{ ...web, resources: { limits: { cpu: '1' } } }], [entry({}, fields(limits))]),
  ],
  [
    'an empty value, which the server leaves out',
    true,
    body({ env: [a, b] }),
    live([{ ...web, env: [a, { name: 'B' }] }], [entry({}, fields(env))]),
  ],
  [
    'the same items in another order',
    false,
    body({ env: [b, a] }),
    live([{ ...web, env: [a, b] }], [entry({}, fields(env))]),
  ],
  ['an item twice', false, body({ env: [a, a] }), live([{ ...web, env: [a, b] }], [entry({}, fields(env))])],
  [
    'a list that is replaced as a whole',
    true,
    body({ args: ['a', 'b'] }),
    live([{ ...web, args: ['a', 'b'] }], [entry({}, fields(image('f:args')))]),
  ],
  [
    'such a list with an item less',
    false,
    body({ args: ['a'] }),
    live([{ ...web, args: ['a', 'b'] }], [entry({}, fields(image('f:args')))]),
  ],
  ['fields in an unknown notation', false, body(), live([web], [entry({}, { 'x:spec': {} })])],
]

const read = (text: string): JsonObject => {
  const json: Json = JSON.parse(text)
  return isObject(json) ? json : {}
}

for (const [title, expected, sent, there] of cases) {
  test(`unchanged: ${expected ? 'left out' : 'sent'}: ${title}`, () =>
    assert.is(isUnchanged(read(sent), there, 'devtool'), expected))
}

test('unchanged: an object as it was applied is left out', () => {
  fc.assert(
    fc.property(arbitraryModel, (model) => {
      for (const object of objectsIn(planOf(model))) {
        const text = printJsonLine(object)
        const { apiVersion, kind } = object
        const applied = applyOwned({ object: {}, owners: [] }, read(text), {
          apiVersion,
          isForced: false,
          name: 'devtool',
        })
        assert.is(applied._tag, 'Right')
        if (applied._tag === 'Left') continue
        const { object: made, owners } = applied.right
        const metadata = isObject(made['metadata']) ? made['metadata'] : {}
        const there = {
          ...made,
          apiVersion,
          kind,
          metadata: {
            ...metadata,
            name: object.metadata.name,
            uid: '1',
            resourceVersion: '1',
            managedFields: managedFields(owners),
          },
        }
        assert.ok(isUnchanged(object, there, 'devtool'))
        assert.ok(isUnchanged(read(text), there, 'devtool'))
      }
    }),
  )
})

test.run()
