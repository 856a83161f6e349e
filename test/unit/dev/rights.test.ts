/** What a user has to be allowed besides the mirror, so that the workload stays stopped. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Json, JsonObject } from '../../../src/domain/cluster/json.ts'
import { type ClusterObject, isLive } from '../../../src/domain/cluster/live.ts'
import { pausedFor } from '../../../src/domain/dev/controllers.ts'
import { refusedTouches, touchingRights } from '../../../src/domain/dev/rights.ts'
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

const needed = (...lives: ReadonlyArray<ClusterObject>) => {
  const observed = observedOf([api, ...lives])
  return touchingRights([...pausedFor(api, observed), ...stoppedBy(api)], api, observed)
}

test('a Deployment alone needs nothing else', () => {
  assert.equal(needed(), { rights: [], what: [] })
})

test('an autoscaler of KEDA has to be paused', () => {
  const { rights, what } = needed(scaler, autoscaler)
  assert.equal(rights, [{ group: 'keda.sh', resource: 'scaledobjects', verb: 'patch' }])
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
  const touching = needed(scaler)
  assert.equal(refusedTouches('shop', touching, []), [])
  const [found] = refusedTouches('shop', touching, touching.rights)
  assert.is(found?.message, 'not allowed in namespace shop: patch scaledobjects.keda.sh')
  assert.match(found?.help ?? '', 'ScaledObject/queue')
})

test.run()
