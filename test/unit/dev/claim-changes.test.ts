/** The claim of a development container, when its section has changed since it was made. */
import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { growClaim } from '../../../src/app/dev/grow-claim.ts'
import { at, type JsonObject } from '../../../src/domain/cluster/json.ts'
import { resources } from '../../../src/domain/cluster/resources.ts'
import { planUp } from '../../../src/domain/dev/activate.ts'
import { mirrorName } from '../../../src/domain/dev/names.ts'
import type { DevContainer } from '../../../src/domain/manifest/dev-model.ts'
import { memoryCluster } from '../../memory/cluster.ts'
import { devOf, requestOf } from '../../support/dev/request.ts'
import { observedIn } from '../../support/dev/rounds.ts'
import { workload } from '../../support/dev/workloads.ts'

const namespace = 'demo'
const mirror = mirrorName('Deployment', 'api')
const section = (volume: string): DevContainer =>
  devOf({ 'devtool.yml': `dev:\n  api:\n    sync: [".:/app"]\n    persistentVolume: ${volume}\n` })

const claim: JsonObject = {
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: {
    name: mirror,
    namespace,
    labels: { 'dev.devtool/kind': 'up', 'dev.devtool/mirror': mirror },
  },
  spec: {
    accessModes: ['ReadWriteOnce'],
    storageClassName: 'standard',
    resources: { requests: { storage: '2Gi' } },
  },
}

const world = () => {
  const original = workload('Deployment', { name: 'api' })
  const metadata = { name: 'api', namespace }
  const objects = [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
    { ...original, metadata },
    claim,
  ]
  return memoryCluster({ objects })
}

const refusalsOf = async (volume: string): Promise<ReadonlyArray<string>> => {
  const observed = await observedIn({ cluster: world(), clock: systemClock, namespace })
  const planned = planUp(requestOf(section(volume)), observed)
  return E.isLeft(planned)
    ? planned.left.map(({ at: place, code, message }) => `${code}:${place?.line} ${message}`)
    : []
}

test('a smaller volume, another storage class and another access mode are refused before anything is written', async () => {
  assert.equal(await refusalsOf('{ size: 1Gi }'), [
    `DT3105:4 dev.api.persistentVolume.size: the volume "${mirror}" has the size 2Gi, the file says 1Gi`,
  ])
  assert.equal(await refusalsOf('{ storageClass: fast }'), [
    `DT3105:4 dev.api.persistentVolume.storageClass: the volume "${mirror}" has the storage class standard, the file says fast`,
  ])
  assert.equal(await refusalsOf('{ accessMode: ReadWriteMany }'), [
    `DT3105:2 dev.api: the volume "${mirror}" has the access mode ReadWriteOnce, the file says ReadWriteMany`,
  ])
})

test('the setting of a volume that differs is named', async () => {
  const [first, second, ...more] = await refusalsOf('{ size: 2Gi, storageClass: fast, accessMode: ReadWriteMany }')
  assert.match(first ?? '', /^DT3105:4 dev.api.persistentVolume.storageClass: .* has the storage class standard/)
  assert.match(second ?? '', /^DT3105:2 dev.api: .* has the access mode ReadWriteOnce/)
  assert.equal(more, [])
})

test('the same size, a larger size and no size are accepted', async () => {
  for (const volume of ['{ size: 2048Mi }', '{ size: 3Gi }', '{ enabled: true }', '{ enabled: false }'])
    assert.equal(await refusalsOf(volume), [], volume)
})

test('a claim grows with its section, and one that cannot grow is reported and used as it is', async () => {
  const cluster = world()
  const { signal } = new AbortController()
  const key = { resource: resources.PersistentVolumeClaim, namespace, name: mirror }
  const sizeNow = async () => {
    const live = await cluster.get(key)()
    return E.isRight(live) ? at(live.right, 'spec', 'resources', 'requests', 'storage') : undefined
  }
  assert.equal(await growClaim({ cluster, namespace }, section('{ size: 3Gi }'), mirror, signal)(), [])
  assert.is(await sizeNow(), '3Gi')
  const merge: typeof cluster.merge = () => () =>
    Promise.resolve(
      E.left({
        _tag: 'Refused',
        asked: { verb: 'patch', what: `PersistentVolumeClaim/${mirror}`, namespace },
        status: 403,
        reason: 'Forbidden',
        message: 'only dynamically provisioned pvc can be resized',
        causes: [],
      }),
    )
  const found = await growClaim(
    { cluster: { ...cluster, merge }, namespace },
    section('{ size: 4Gi }'),
    mirror,
    signal,
  )()
  assert.equal(
    found.map(({ code, severity }) => [severity, code]),
    [['warning', 'DT3105']],
  )
  assert.match(found[0]?.message ?? '', /stays at 3Gi, the file says 4Gi: .*only dynamically provisioned/)
  assert.is(await sizeNow(), '3Gi')
})

test.run()
