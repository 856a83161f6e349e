/**
 * Live objects as an API server sends them, reduced to what causes read; their shapes were taken from a real cluster.
 */
import type { Json, JsonObject } from '../../../src/domain/cluster/json.ts'
import { type ClusterObject, isLive, type Observed } from '../../../src/domain/cluster/live.ts'
import { observedOf } from '../kube/live.ts'

export const live = (object: JsonObject): ClusterObject => {
  if (!isLive(object)) throw new Error('no live object')
  return object
}

const controlledBy = (uid: string): Json => [{ controller: true, uid }]

type Parts = { readonly spec?: JsonObject; readonly status?: JsonObject; readonly annotations?: JsonObject }

export const workload = (
  kind: string,
  name: string,
  { annotations = {}, spec = {}, status = {} }: Parts = {},
): ClusterObject =>
  live({
    apiVersion: kind === 'Job' ? 'batch/v1' : 'apps/v1',
    kind,
    metadata: {
      name,
      uid: `workload-${name}`,
      generation: 2,
      namespace: 'demo',
      labels: { 'dev.devtool/service': name },
      annotations: { 'deployment.kubernetes.io/revision': '2', ...annotations },
    },
    spec,
    status: { observedGeneration: 2, ...status },
  })

export const replicaSet = (name: string, revision: string, status: JsonObject = {}): ClusterObject =>
  live({
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: `${name}-${revision}`,
      uid: `set-${name}-${revision}`,
      annotations: { 'deployment.kubernetes.io/revision': revision },
      ownerReferences: controlledBy(`workload-${name}`),
    },
    spec: {},
    status,
  })

type PodParts = Parts & { readonly labels?: JsonObject; readonly metadata?: JsonObject }

export const pod = (
  name: string,
  owner: string,
  { labels = {}, metadata = {}, spec, status = {} }: PodParts,
): ClusterObject =>
  live({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, uid: `pod-${name}`, labels, ownerReferences: controlledBy(owner), ...metadata },
    spec: spec ?? { nodeName: 'node1', containers: [{ name: 'web', image: 'shop/web:1' }] },
    status: { conditions: [{ type: 'PodScheduled', status: 'True' }], ...status },
  })

export const event = (
  uid: string,
  reason: string,
  message: string,
  lastTimestamp = '2026-11-21T10:00:00Z',
): ClusterObject =>
  live({
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: `${uid}.${reason}.${lastTimestamp}`, uid: `event-${uid}-${reason}-${lastTimestamp}` },
    involvedObject: { uid },
    type: 'Warning',
    reason,
    message,
    count: 3,
    lastTimestamp,
  })

/** The status of a pod with one container. */
export const container = (state: JsonObject, more: JsonObject = {}): JsonObject => ({
  containerStatuses: [{ name: 'web', image: 'shop/web:1', ready: false, restartCount: 0, state, ...more }],
})

export const readyStatus: JsonObject = {
  phase: 'Running',
  conditions: [
    { type: 'PodScheduled', status: 'True' },
    { type: 'Ready', status: 'True' },
  ],
  containerStatuses: [{ name: 'web', ready: true, restartCount: 0, state: { running: {} } }],
}

/** A Deployment `web` whose new ReplicaSet has these pods. */
export const deployed = (pods: ReadonlyArray<ClusterObject>, ...others: ReadonlyArray<ClusterObject>): Observed =>
  observedOf([
    workload('Deployment', 'web', { spec: { replicas: Math.max(pods.length, 1) } }),
    replicaSet('web', '2'),
    ...pods,
    ...others,
  ])
