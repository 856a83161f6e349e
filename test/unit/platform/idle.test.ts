/** Idle namespaces: which are to sleep, and how the controller lets them. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { tendIdle } from '../../../src/app/platform/controller/idle.ts'
import { type JsonObject, numberAt, textAt } from '../../../src/domain/cluster/json.ts'
import { lastChange } from '../../../src/domain/cluster/last-change.ts'
import type { ClusterObject } from '../../../src/domain/cluster/live.ts'
import { resources } from '../../../src/domain/cluster/resources.ts'
import { idleNamespaces, sleepsAfter } from '../../../src/domain/platform/namespace/idle.ts'
import { namespaceObject } from '../../../src/domain/platform/namespace/objects.ts'
import { sleepBody } from '../../../src/domain/sleep/record.ts'
import { done } from '../../contract/cluster-world.ts'
import { memoryClock, settle } from '../../memory/clock.ts'
import { type MemoryCluster, memoryCluster } from '../../memory/cluster.ts'
import { liveFrom } from '../../support/kube/live.ts'
import { controllerWorld } from '../../support/platform/controller-world.ts'

const [LONG_AGO, RECENTLY, NOW] = ['2026-11-20T10:00:00Z', '2026-11-21T09:55:00Z', '2026-11-21T10:00:00Z']
const HOUR = 3600

const live = (kind: string, metadata: JsonObject): ClusterObject => liveFrom({ apiVersion: 'v1', kind, metadata })

const namespaceOf = (metadata: JsonObject = {}, labels: JsonObject = {}): ClusterObject =>
  live('Namespace', {
    name: 'shop',
    creationTimestamp: LONG_AGO,
    labels: { 'dev.devtool/managed': 'true', ...labels },
    ...metadata,
  })

const keptOf = (kind: string, time: string, more: JsonObject = {}): ClusterObject =>
  live('ConfigMap', {
    name: kind,
    namespace: 'shop',
    creationTimestamp: LONG_AGO,
    labels: { 'dev.devtool/kind': kind, ...more },
    managedFields: [{ manager: 'devtool', time }],
  })

type Seen = Partial<Parameters<typeof idleNamespaces>[0]>

const idle = (more: Seen): ReadonlyArray<string> =>
  idleNamespaces({
    ...{ namespaces: [namespaceOf()], kept: [], busy: new Set<string>(), seen: new Map(), usual: HOUR, now: NOW },
    ...more,
  }).map(({ isAsleep, name }) => `${name}${isAsleep ? ' asleep' : ''}`)

const asleep = { 'dev.devtool/sleep': 'asleep' }
const annotated = (text: string) => namespaceOf({ annotations: { 'dev.devtool/sleep-after': text } })

const cases: ReadonlyArray<readonly [string, Seen, ReadonlyArray<string>]> = [
  ['nobody has used it', {}, ['shop']],
  ['nothing sleeps by itself', { usual: undefined }, []],
  ['it is new', { namespaces: [namespaceOf({ creationTimestamp: RECENTLY })] }, []],
  ['it was deployed to', { kept: [keptOf('environment', RECENTLY)] }, []],
  ['it was deployed to long ago', { kept: [keptOf('environment', LONG_AGO)] }, ['shop']],
  ['it was woken', { kept: [keptOf('sleep', RECENTLY, { 'dev.devtool/sleep': 'awake' })] }, []],
  ['another one was deployed to', { kept: [{ ...keptOf('environment', RECENTLY) }], namespaces: [] }, []],
  ['somebody develops in it, who has not shown up for long', { kept: [keptOf('up', LONG_AGO)] }, []],
  ['a run is under way', { busy: new Set(['shop']) }, []],
  ['it was seen in use', { seen: new Map([['shop', RECENTLY]]) }, []],
  ['it sleeps', { kept: [keptOf('sleep', LONG_AGO, asleep)] }, []],
  ['it has gone to sleep just now', { kept: [keptOf('sleep', RECENTLY, asleep)] }, ['shop asleep']],
  ['it never sleeps', { namespaces: [annotated('never')] }, []],
  ['its own limit is longer', { namespaces: [annotated('48h')] }, []],
  ['only its own limit', { namespaces: [annotated('20s')], usual: undefined }, ['shop']],
  ['its own limit cannot be read', { namespaces: [annotated('12 hours')] }, []],
  ['it is being deleted', { namespaces: [namespaceOf({ deletionTimestamp: NOW })] }, []],
  ['it is not complete', { namespaces: [namespaceOf({ annotations: { 'dev.devtool/creating': 'x' } })] }, []],
  ['it is not the platform’s', { namespaces: [namespaceOf({}, { 'dev.devtool/managed': 'false' })] }, []],
]

for (const [title, seen, expected] of cases) {
  test(`idle namespaces when ${title}`, () => {
    assert.equal(idle(seen), expected)
  })
}

test('a limit of 0 switches sleeping off, and one of less than a second counts as a second', () => {
  assert.is(sleepsAfter(annotated('0'), HOUR), undefined)
  assert.is(sleepsAfter(annotated('200ms'), HOUR), 1)
})

test('neither a status nor an autoscaler counts as a change', () => {
  const managedFields = [
    { manager: 'helm', time: '2026-11-20T11:00:00Z' },
    { manager: 'kube-controller-manager', subresource: 'status', time: NOW },
    { manager: 'kube-controller-manager', subresource: 'scale', time: NOW },
  ]
  assert.is(lastChange(live('Deployment', { name: 'web', managedFields })), '2026-11-20T11:00:00Z')
})

const workload = (namespace: string, more: JsonObject = {}): JsonObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace, creationTimestamp: LONG_AGO, ...more },
  spec: { replicas: 2, selector: { matchLabels: { app: 'web' } }, template: { metadata: {}, spec: {} } },
})

const replicas = async (cluster: MemoryCluster, namespace: string): Promise<number | undefined> =>
  numberAt(await done(cluster.get({ resource: resources.Deployment, namespace, name: 'web' })), 'spec', 'replicas')

type Tended = {
  readonly cluster: MemoryCluster
  readonly notes: ReadonlyArray<string>
  readonly pass: () => Promise<void>
}

/** In a namespace for each name, with a workload. */
const tended = async (
  names: ReadonlyArray<string>,
  use: (tended: Tended) => Promise<void>,
  leads = true,
): Promise<void> => {
  const [cluster, clock, notes] = [memoryCluster(), memoryClock(NOW), new Array<string>()]
  for (const name of names) {
    const made = namespaceObject(name, 'namespace', 'u-1')
    const { labels } = live('Namespace', JSON.parse(JSON.stringify(made['metadata']))).metadata
    cluster.put({
      ...made,
      metadata: { name, ...(labels === undefined ? {} : { labels }), creationTimestamp: LONG_AGO },
    })
    cluster.put(workload(name))
  }
  const world = controllerWorld(cluster, {
    ...{ clock, sleepAfterSeconds: HOUR, mayWrite: async () => leads },
    note: (kind, text) => void notes.push(`${kind} ${text}`),
  })
  const { items } = await done(cluster.list({ resource: resources.Namespace }))
  const namespaces = new Map(items.map((one) => [`/${one.metadata.name}`, one]))
  const stopped = new AbortController()
  const ended = tendIdle(world, () => ({ jobs: new Map(), records: new Map(), namespaces }), stopped.signal)
  const pass = async (): Promise<void> => {
    await settle(100)
    await clock.advance(300_000)
    await settle(100)
  }
  try {
    await use({ cluster, notes, pass })
  } finally {
    stopped.abort()
    await clock.advance(300_000)
    await ended
  }
}

test('an idle namespace is stopped once, by the platform', () =>
  tended(['shop', 'used'], async ({ cluster, notes, pass }) => {
    cluster.take('Deployment', 'web', 'used')
    cluster.put(workload('used', { creationTimestamp: RECENTLY }))
    await pass()
    assert.equal([await replicas(cluster, 'shop'), await replicas(cluster, 'used')], [0, 2])
    const record = await done(cluster.get({ resource: resources.ConfigMap, namespace: 'shop', name: 'devtool-sleep' }))
    assert.match(textAt(record, 'data', 'record') ?? '', '"who":"the platform"')
    await pass()
    assert.equal(notes, ['asleep shop'])
  }))

test('a namespace in which nothing runs is left alone', () =>
  tended(['shop'], async ({ cluster, pass }) => {
    cluster.put({ ...workload('shop'), spec: { replicas: 0 } })
    await pass()
    const key = { resource: resources.ConfigMap, namespace: 'shop', name: 'devtool-sleep' }
    assert.is(await done(cluster.get(key)), undefined)
  }))

test('a replica that is no longer the leader stops nothing', () =>
  tended(
    ['shop'],
    async ({ cluster, pass }) => {
      await pass()
      assert.is(await replicas(cluster, 'shop'), 2)
    },
    false,
  ))

test('an interrupted sleep is completed, but not one that a user began', () =>
  tended(['shop', 'other'], async ({ cluster, pass }) => {
    for (const [namespace, who] of [
      ['shop', 'the platform'],
      ['other', 'ann'],
    ] as const) {
      const { metadata, ...body } = sleepBody({ state: 'Asleep', since: RECENTLY, who, touched: [] })
      const { labels } = live('ConfigMap', JSON.parse(JSON.stringify(metadata))).metadata
      const made = {
        name: 'devtool-sleep',
        namespace,
        creationTimestamp: NOW,
        ...(labels === undefined ? {} : { labels }),
      }
      cluster.put({ ...body, metadata: made })
    }
    await pass()
    assert.equal([await replicas(cluster, 'shop'), await replicas(cluster, 'other')], [0, 2])
  }))

test('a failure is recorded, and tried again', () =>
  tended(['shop'], async ({ cluster, notes, pass }) => {
    cluster.fail({ verb: 'create', what: '*', status: 403, message: 'no', times: 1 })
    await pass()
    await pass()
    assert.is(await replicas(cluster, 'shop'), 0)
    assert.is(notes.length, 2, notes.join('\n'))
  }))

test.run()
