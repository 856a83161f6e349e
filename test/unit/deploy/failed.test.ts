/** In which order a failed deploy is explained. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { nothingDone } from '../../../src/app/deploy/executed.ts'
import { explainFailure } from '../../../src/app/deploy/failed.ts'
import type { Failure } from '../../../src/domain/cluster/failure.ts'
import type { Observed } from '../../../src/domain/cluster/live.ts'
import type { Diagnostic } from '../../../src/domain/diagnostic/diagnostic.ts'
import { defined } from '../../../src/domain/object/defined.ts'
import type { Plan } from '../../../src/domain/plan/plan.ts'
import type { Cluster } from '../../../src/ports/cluster.ts'
import { memoryClock } from '../../memory/clock.ts'
import { memoryCluster } from '../../memory/cluster.ts'
import { observedOf, planOfYaml } from '../../support/kube/live.ts'
import { container, deployed, live, pod, readyStatus, replicaSet, workload } from '../../support/why/lives.ts'

/** A service whose new version cannot be pulled, while a pod of the old one is ready. */
const observed = deployed(
  [
    pod('web-2-a', 'set-web-2', {
      status: container({ waiting: { reason: 'ImagePullBackOff', message: 'Back-off pulling image "shop/web:1"' } }),
    }),
    pod('web-1-a', 'set-web-1', { status: readyStatus }),
  ],
  replicaSet('web', '1'),
)

const wanted = { ref: { kind: 'Deployment', name: 'web' }, service: 'web', condition: 'available' } as const
const pending = [{ name: 'web', detail: '0 of 1 ready', wanted }]

type Seen = {
  readonly seen?: Observed
  readonly cluster?: Cluster
  readonly plan?: Plan
  readonly troubles?: ReadonlyArray<Failure>
}

const explained = (reason: string, { cluster = memoryCluster(), plan, seen = observed, troubles = [] }: Seen = {}) => {
  const ended = new AbortController()
  ended.abort(reason)
  const never = async (): Promise<void> => {}
  const state = { of: () => seen, see: () => {}, forget: () => {}, reset: () => {}, latest: () => undefined }
  return explainFailure(
    {
      target: { cluster, namespace: 'demo' },
      watching: { state, changed: never, pause: never, begin: never, troubles: () => troubles },
      signal: ended.signal,
      ports: { clock: memoryClock() },
      ...defined({ plan }),
    },
    { ...nothingDone, pending, isComplete: false },
  )
}

const codesOf = (found: ReadonlyArray<Diagnostic>) => found.map(({ code }) => code)

test('after a timeout the cause is named first, then the timeout, then what still serves', async () => {
  assert.equal(codesOf(await explained('timeout')), ['DT3206', 'DT3120', 'DT3161'])
})

test('after an interruption the cause is named first, too', async () => {
  assert.equal(codesOf(await explained('interrupted')), ['DT3206', 'DT3121', 'DT3161'])
})

test('a kind that may not be watched is named before the timeout', async () => {
  const asked = { verb: 'list', what: 'pods', namespace: 'demo' }
  const message = 'pods is forbidden'
  const failure: Failure = { _tag: 'Refused', asked, status: 403, reason: 'Forbidden', message, causes: [] }
  const cut: Failure = { _tag: 'Unreachable', asked, server: 'test', cause: 'reset', mayHaveHappened: false }
  const found = await explained('timeout', { seen: new Map(), troubles: [cut, failure] })
  assert.equal(codesOf(found), ['DT3003', 'DT3120'])
  assert.match(found[0]?.message ?? '', 'not allowed to list pods in namespace demo')
})

test('a public port on which nothing listens is named, with the one that accepts connections', async () => {
  const ready = { updatedReplicas: 1, replicas: 1, availableReplicas: 1, readyReplicas: 1 }
  const web = pod('web-2-a', 'set-web-2', {
    labels: { app: 'web' },
    metadata: { namespace: 'demo' },
    status: readyStatus,
  })
  const backend = { service: { name: 'web', port: { number: 80 } } }
  const seen = observedOf([
    workload('Deployment', 'web', { spec: { replicas: 1 }, status: ready }),
    replicaSet('web', '2', { availableReplicas: 1 }),
    web,
    live({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'web', uid: 'service' },
      spec: { selector: { app: 'web' }, ports: [{ port: 80, targetPort: 8080 }] },
    }),
    live({
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: { name: 'web', uid: 'ingress' },
      spec: { rules: [{ host: 'web.test', http: { paths: [{ backend }] } }] },
    }),
  ])
  const cluster = memoryCluster({ open: { 'web-2-a': [3000] } })
  cluster.put(web)
  const found = await explained('timeout', { seen, cluster })
  assert.equal(codesOf(found), ['DT3193', 'DT3120'])
  assert.match(
    found[0]?.message ?? '',
    'nothing listens on port 8080, to which Ingress/web leads web.test; port 3000 of the pod accepts connections',
  )
})

test('a name that does not exist is compared with all services of the plan', async () => {
  const state = { terminated: { exitCode: 1, reason: 'Error' } }
  const web = pod('web-2-a', 'set-web-2', {
    metadata: { namespace: 'demo' },
    status: container({ waiting: { reason: 'CrashLoopBackOff' } }, { restartCount: 3, lastState: state }),
  })
  const lines = ["wget: bad address 'my_db:80'"]
  const cluster = memoryCluster({ said: [{ pod: 'demo/web-2-a', container: 'web', lines }] })
  cluster.put(web)
  const plan = planOfYaml('services: {web: {image: shop/web}, my_db: {image: postgres, expose: [80]}}')
  const [first] = await explained('timeout', { seen: deployed([web]), cluster, plan })
  assert.match(first?.help ?? '', 'did you mean the service "my-db"?')
})

test.run()
