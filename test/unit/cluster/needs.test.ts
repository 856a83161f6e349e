import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { JsonObject } from '../../../src/domain/cluster/json.ts'
import type { ClusterObject } from '../../../src/domain/cluster/live.ts'
import { neededBy } from '../../../src/domain/cluster/needs.ts'

const object = (kind: string, name: string, rest: JsonObject = {}): ClusterObject => ({
  apiVersion: 'v1',
  kind,
  metadata: { name, uid: name, resourceVersion: '1' },
  ...rest,
})

const container = { name: 'main', image: 'nginx' }
const withPod = (spec: JsonObject): JsonObject => ({ containers: [container], ...spec })
const volume = (source: JsonObject): JsonObject => withPod({ volumes: [{ name: 'x', ...source }] })

const cases: ReadonlyArray<readonly [string, JsonObject, ReadonlyArray<string>]> = [
  ['the ConfigMap of a volume', volume({ configMap: { name: 'a' } }), ['ConfigMap/a']],
  ['the Secret of a volume', volume({ secret: { secretName: 'a' } }), ['Secret/a']],
  ['a claim', volume({ persistentVolumeClaim: { claimName: 'a' } }), ['PersistentVolumeClaim/a']],
  [
    'projected sources',
    volume({ projected: { sources: [{ configMap: { name: 'a' } }, { secret: { name: 'b' } }] } }),
    ['ConfigMap/a', 'Secret/b'],
  ],
  [
    'variables, one by one',
    withPod({
      containers: [
        {
          ...container,
          env: [
            { name: 'A', valueFrom: { configMapKeyRef: { name: 'a', key: 'x' } } },
            { name: 'B', valueFrom: { secretKeyRef: { name: 'b', key: 'x' } } },
          ],
        },
      ],
    }),
    ['ConfigMap/a', 'Secret/b'],
  ],
  [
    'all variables of an init container',
    withPod({
      initContainers: [{ ...container, envFrom: [{ configMapRef: { name: 'a' } }, { secretRef: { name: 'b' } }] }],
    }),
    ['ConfigMap/a', 'Secret/b'],
  ],
  ['credentials of a registry', withPod({ imagePullSecrets: [{ name: 'a' }] }), ['Secret/a']],
  ['the service account', withPod({ serviceAccountName: 'a' }), ['ServiceAccount/a']],
  ['nothing', withPod({}), []],
]

for (const [what, spec, expected] of cases) {
  test(`needs: ${what}, for a pod, a workload and a CronJob`, () => {
    const lives = [
      object('Pod', 'web', { spec }),
      object('Deployment', 'web', { spec: { template: { spec } } }),
      object('CronJob', 'web', { spec: { jobTemplate: { spec: { template: { spec } } } } }),
    ]
    for (const live of lives) assert.equal([...neededBy([live], []).keys()], expected)
  })
}

const set = object('StatefulSet', 'db', {
  spec: {
    serviceName: 'db',
    volumeClaimTemplates: [{ metadata: { name: 'data' } }],
    template: { metadata: { labels: { app: 'db', tier: 'back' } }, spec: withPod({}) },
  },
})
const neighbours = [
  object('PersistentVolumeClaim', 'data-db-0'),
  object('PersistentVolumeClaim', 'data-db-x'),
  object('PersistentVolumeClaim', 'data-db2-0'),
  object('Service', 'alias', { spec: { selector: { app: 'db' } } }),
  object('Service', 'web', { spec: { selector: { app: 'web' } } }),
  object('Service', 'outside', { spec: {} }),
]

test('needs: the claims of a StatefulSet, and the Services that select its pods', () => {
  const needed = neededBy([set], neighbours)
  assert.equal([...needed.keys()], ['Service/db', 'PersistentVolumeClaim/data-db-0', 'Service/alias'])
  assert.equal([...new Set(needed.values())], ['StatefulSet/db'])
})

test('needs: an object without pods needs nothing', () => {
  assert.is(neededBy([object('ConfigMap', 'a', { data: { containers: 'x' } })], neighbours).size, 0)
})

test.run()
