/** What a user has to be allowed besides the mirror, so that the workload stays stopped. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Json, JsonObject } from '../../../src/domain/cluster/json.ts'
import { type ClusterObject, isLive } from '../../../src/domain/cluster/live.ts'
import { pausedFor } from '../../../src/domain/dev/controllers.ts'
import { refusedTouches, restoringRights, rightsIn, touchingRights } from '../../../src/domain/dev/rights.ts'
import { stoppedBy } from '../../../src/domain/dev/stop.ts'
import { workload } from '../../support/dev/workloads.ts'
import { observedOf } from '../../support/kube/live.ts'

const live = (object: JsonObject, metadata: Readonly<Record<string, Json>>): ClusterObject => {
  const whole = { apiVersion: 'v1', ...object, metadata: { resourceVersion: '1', ...metadata } }
  if (!isLive(whole)) throw new Error('no live object')
  return whole
}

const api = live(workload('Deployment', {}), { name: 'api', uid: 'u1' })
const target = { spec: { scaleTargetRef: { kind: 'Deployment', name: 'api' } } }
const scaler = live({ kind: 'ScaledObject', ...target }, { name: 'queue', uid: 'u2' })
const ownerReferences = [{ kind: 'ScaledObject', name: 'queue', uid: 'u2' }]
const autoscaler = live(
  { kind: 'HorizontalPodAutoscaler', ...target },
  { name: 'keda-hpa', uid: 'u3', ownerReferences },
)

const neededFor = (original: ClusterObject, ...lives: ReadonlyArray<ClusterObject>) => {
  const observed = observedOf([original, ...lives])
  const touching = touchingRights([...pausedFor(original, observed), ...stoppedBy(original)], original, observed)
  return { touching, rights: rightsIn(touching), what: [...new Set(touching.changes.map(({ what }) => what))] }
}
const needed = (...lives: ReadonlyArray<ClusterObject>) => neededFor(api, ...lives)

test('a Deployment alone needs nothing else', () => {
  assert.equal(needed().rights, [])
  assert.equal(needed().what, [])
})

test('a workload of another kind has to be followed, even when it is stopped already', () => {
  const stopped = { ...workload('StatefulSet', { spec: { replicas: 0 } }) }
  const { rights, what } = neededFor(live(stopped, { name: 'db', uid: 'u4' }))
  assert.equal(
    rights,
    ['get', 'list', 'watch', 'patch'].map((verb) => ({ group: 'apps', resource: 'statefulsets', verb })),
  )
  assert.equal(what, ['StatefulSet/db'])
})

test('an autoscaler of KEDA has to be paused', () => {
  const { rights, what } = needed(scaler, autoscaler)
  assert.equal(
    rights,
    ['list', 'patch'].map((verb) => ({ group: 'keda.sh', resource: 'scaledobjects', verb })),
  )
  assert.equal(what, ['ScaledObject/queue'])
})

test('an autoscaler of KEDA that may not be read is known by the objects it has created', () => {
  const { rights, what } = needed(autoscaler)
  assert.equal(
    rights.map(({ verb }) => verb),
    ['list', 'patch'],
  )
  assert.equal(what, ['ScaledObject/queue'])
})

test('a missing permission is reported with what needs it', () => {
  const { rights, touching } = needed(scaler)
  assert.equal(refusedTouches('shop', touching, []), [])
  const [found] = refusedTouches('shop', touching, rights)
  assert.is(found?.message, 'not allowed in namespace shop: list, patch scaledobjects.keda.sh')
  assert.match(found?.help ?? '', 'ScaledObject/queue')
})

test('what cannot be restored is named, and nothing else', () => {
  const observed = observedOf([api, scaler])
  const touched = [...pausedFor(api, observed), ...stoppedBy(api)]
  const record = {
    isCreated: false,
    mirror: 'devtool-up-deployment-api',
    touched,
    workload: { ...api.metadata, kind: 'Deployment' },
  }
  const touching = restoringRights([record], true)
  const [found] = refusedTouches(
    'shop',
    touching,
    rightsIn(touching).filter(({ group }) => group === 'keda.sh'),
  )
  assert.match(found?.help ?? '', /^ScaledObject\/queue would stay unchanged: /)
  const [claim] = refusedTouches(
    'shop',
    touching,
    rightsIn(touching).filter(({ verb }) => verb === 'delete'),
  )
  assert.match(claim?.help ?? '', /^PersistentVolumeClaim\/devtool-up-deployment-api would stay unchanged: /)
})

test.run()
