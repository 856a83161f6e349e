/** A namespace with a running, a failing and a developed service, as objects of a cluster. */
import * as E from 'fp-ts/lib/Either.js'
import type { JsonObject } from '../../../src/domain/cluster/json.ts'
import { upLabels } from '../../../src/domain/dev/names.ts'
import { recordData } from '../../../src/domain/dev/record.ts'
import { emptyRecord, recordBody } from '../../../src/domain/environment/record.ts'
import { apiRecord } from '../dev/record.ts'

type Owned = { readonly kind: string; readonly name: string; readonly uid: string }

const labels = (service: string): JsonObject => ({
  'app.kubernetes.io/managed-by': 'devtool',
  'dev.devtool/environment': 'shop',
  'dev.devtool/service': service,
})

const ownedBy = ({ kind, name, uid }: Owned): JsonObject => ({
  ownerReferences: [{ apiVersion: 'apps/v1', kind, name, uid, controller: true }],
})

/** A Deployment with its ReplicaSet and one pod. `container`: its status. */
export const workload = (namespace: string, service: string, image: string, container: JsonObject) => {
  const isReady = container['ready'] === true
  const template = { metadata: { labels: labels(service) }, spec: { containers: [{ name: service, image }] } }
  const count = isReady ? 1 : 0
  return [
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: {
        ...{ name: service, namespace, uid: `d-${service}`, generation: 1, labels: labels(service) },
        annotations: { 'deployment.kubernetes.io/revision': '1' },
      },
      spec: { replicas: 1, selector: { matchLabels: labels(service) }, template },
      status: {
        observedGeneration: 1,
        replicas: 1,
        updatedReplicas: 1,
        readyReplicas: count,
        availableReplicas: count,
        conditions: [{ type: 'Available', status: isReady ? 'True' : 'False' }],
      },
    },
    {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: {
        name: `${service}-1`,
        namespace,
        uid: `r-${service}`,
        labels: labels(service),
        annotations: { 'deployment.kubernetes.io/revision': '1' },
        ...ownedBy({ kind: 'Deployment', name: service, uid: `d-${service}` }),
      },
      spec: { replicas: 1, selector: { matchLabels: labels(service) }, template },
      status: { replicas: 1 },
    },
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        name: `${service}-1-a`,
        namespace,
        labels: labels(service),
        ...ownedBy({ kind: 'ReplicaSet', name: `${service}-1`, uid: `r-${service}` }),
      },
      spec: { nodeName: 'node-1', containers: [{ name: service, image }] },
      status: {
        phase: isReady ? 'Running' : 'Pending',
        conditions: [
          { type: 'PodScheduled', status: 'True' },
          { type: 'Ready', status: isReady ? 'True' : 'False' },
        ],
        containerStatuses: [{ name: service, image, restartCount: 0, ...container }],
      },
    },
  ]
}

export const running = { ready: true, started: true, state: { running: { startedAt: '2026-11-21T08:00:00Z' } } }
export const waiting = {
  ready: false,
  state: {
    waiting: {
      reason: 'ImagePullBackOff',
      message: 'Back-off pulling image "registry.example.com/shop/worker:7": not found',
    },
  },
}

const right = (body: E.Either<unknown, JsonObject>): JsonObject => {
  if (E.isLeft(body)) throw new Error('the record does not fit')
  return body.right
}

export const shopObjects = (namespace: string): ReadonlyArray<JsonObject> => [
  ...workload(namespace, 'web', 'registry.example.com/shop/web:7', running),
  ...workload(namespace, 'api', 'registry.example.com/shop/api:7', running),
  ...workload(namespace, 'worker', 'registry.example.com/shop/worker:7', waiting),
  ...workload(namespace, 'db', 'postgres:17', { ...running, restartCount: 2 }),
  {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name: 'web', namespace, labels: labels('web') },
    spec: {
      tls: [{ hosts: ['shop.example.com'] }],
      rules: [
        {
          host: 'shop.example.com',
          http: { paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 'web' } } }] },
        },
      ],
    },
  },
  right(
    recordBody(namespace, {
      ...emptyRecord('shop'),
      status: 'deployed',
      who: 'ann@example.com',
      when: '2026-11-21T08:00:00Z',
      source: { repository: 'github.com/acme/shop', branch: 'main' },
      external: [{ name: 'status', url: 'javascript:alert(1)' }],
    }),
  ),
  {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: apiRecord.mirror, namespace, labels: upLabels(apiRecord.mirror) },
    data: recordData(apiRecord),
  },
]
