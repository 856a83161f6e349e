/** Controllers of a cluster in memory: they create pods for workloads, which are ready at once. */

import { at, isObject, type Json, type JsonObject, listAt, numberAt, textAt } from '../../../src/domain/cluster/json.ts'
import type { ClusterObject } from '../../../src/domain/cluster/live.ts'
import type { MemoryCluster } from '../../memory/cluster.ts'

const hashOf = (json: Json | undefined): string => {
  let hash = 5381
  for (const char of JSON.stringify(json ?? {})) hash = (hash * 33 + char.charCodeAt(0)) % 4_294_967_291
  return hash.toString(36)
}

const ownerOf = ({ apiVersion, kind, metadata }: ClusterObject): JsonObject => ({
  apiVersion,
  kind,
  name: metadata.name,
  uid: metadata.uid,
  controller: true,
  blockOwnerDeletion: true,
})

const runningPod = (owner: ClusterObject, name: string, labels: JsonObject, isDone: boolean): JsonObject => {
  const template = at(owner, 'spec', 'template')
  const spec = at(template, 'spec')
  const containerStatuses = listAt(spec, 'containers').map((container) => ({
    name: textAt(container, 'name') ?? '',
    image: textAt(container, 'image') ?? '',
    ready: !isDone,
    started: !isDone,
    restartCount: 0,
    state: isDone
      ? { terminated: { exitCode: 0, reason: 'Completed' } }
      : { running: { startedAt: '2026-11-21T10:00:00Z' } },
  }))
  const given = at(template, 'metadata', 'labels')
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: owner.metadata.namespace ?? '',
      labels: { ...(isObject(given) ? given : {}), ...labels },
      ownerReferences: [ownerOf(owner)],
    },
    ...(spec === undefined ? {} : { spec }),
    status: {
      phase: isDone ? 'Succeeded' : 'Running',
      conditions: [
        { type: 'PodScheduled', status: 'True' },
        { type: 'Ready', status: isDone ? 'False' : 'True' },
      ],
      containerStatuses,
    },
  }
}

type Control = (cluster: MemoryCluster, live: ClusterObject) => void

const count = (live: ClusterObject, field: string): number => numberAt(live, 'spec', field) ?? 1

/** Pods of earlier templates are deleted at once. */
const replacePods = (
  cluster: MemoryCluster,
  owner: ClusterObject,
  pods: ReadonlyArray<JsonObject>,
  made: Map<string, string>,
): void => {
  const { namespace, uid } = owner.metadata
  const names = new Set(pods.map((pod) => textAt(pod, 'metadata', 'name') ?? ''))
  for (const [name, by] of made) {
    if (by !== uid || names.has(name)) continue
    made.delete(name)
    cluster.take('Pod', name, namespace)
  }
  for (const pod of pods) {
    made.set(textAt(pod, 'metadata', 'name') ?? '', uid)
    cluster.put(pod)
  }
}

const podsOf = (
  owner: ClusterObject,
  replicas: number,
  hash: string,
  isNumbered: boolean,
  labels: JsonObject,
  isDone = false,
) =>
  Array.from({ length: replicas }, (_, index) => {
    const name = isNumbered ? `${owner.metadata.name}-${index}` : `${owner.metadata.name}-${hash}-${index}`
    return runningPod(owner, name, labels, isDone)
  })

const available = (replicas: number): ReadonlyArray<JsonObject> => [
  { type: 'Available', status: 'True', reason: 'MinimumReplicasAvailable' },
  { type: 'Progressing', status: 'True', reason: replicas > 0 ? 'NewReplicaSetAvailable' : 'NewReplicaSetAvailable' },
]

const statusOf = (live: ClusterObject, replicas: number, hash: string): JsonObject => {
  const observedGeneration = live.metadata.generation ?? 1
  switch (live.kind) {
    case 'Deployment':
      return {
        observedGeneration,
        replicas,
        updatedReplicas: replicas,
        readyReplicas: replicas,
        availableReplicas: replicas,
        conditions: available(replicas),
      }
    case 'StatefulSet':
      return {
        observedGeneration,
        replicas,
        updatedReplicas: replicas,
        readyReplicas: replicas,
        availableReplicas: replicas,
        currentReplicas: replicas,
        currentRevision: `${live.metadata.name}-${hash}`,
        updateRevision: `${live.metadata.name}-${hash}`,
      }
    case 'DaemonSet':
      return {
        observedGeneration,
        desiredNumberScheduled: replicas,
        currentNumberScheduled: replicas,
        updatedNumberScheduled: replicas,
        numberReady: replicas,
        numberAvailable: replicas,
        numberMisscheduled: 0,
      }
    default:
      return {
        succeeded: replicas,
        completionTime: '2026-11-21T10:00:00Z',
        conditions: [{ type: 'Complete', status: 'True' }],
      }
  }
}

const control =
  (made: Map<string, string>): Control =>
  (cluster, live) => {
    const { name, namespace = '', generation = 1 } = live.metadata
    const hash = hashOf(at(live, 'spec', 'template'))
    const isJob = live.kind === 'Job'
    const replicas = isJob ? count(live, 'completions') : live.kind === 'DaemonSet' ? 1 : count(live, 'replicas')
    const revision = { 'deployment.kubernetes.io/revision': String(generation) }
    const annotations = { ...live.metadata.annotations, ...(live.kind === 'Deployment' ? revision : {}) }
    cluster.put({ ...live, metadata: { ...live.metadata, annotations }, status: statusOf(live, replicas, hash) })
    if (live.kind === 'Deployment') {
      const selector = at(live, 'spec', 'selector') ?? {}
      const template = at(live, 'spec', 'template') ?? {}
      const set = cluster.put({
        apiVersion: 'apps/v1',
        kind: 'ReplicaSet',
        metadata: {
          name: `${name}-${hash}`,
          namespace,
          labels: { ...live.metadata.labels, 'pod-template-hash': hash },
          annotations: revision,
          ownerReferences: [ownerOf(live)],
        },
        spec: { replicas, selector, template },
        status: { observedGeneration: 1, replicas, readyReplicas: replicas, availableReplicas: replicas },
      })
      for (const old of made.keys()) {
        if (old.startsWith(`set ${live.metadata.uid} `) && old !== `set ${live.metadata.uid} ${set.metadata.name}`) {
          made.delete(old)
          cluster.take('ReplicaSet', old.split(' ')[2] ?? '', namespace)
        }
      }
      made.set(`set ${live.metadata.uid} ${set.metadata.name}`, '')
      replacePods(cluster, set, podsOf(set, replicas, '', true, { 'pod-template-hash': hash }), made)
      return
    }
    const labels: JsonObject = isJob
      ? { 'batch.kubernetes.io/job-name': name, 'job-name': name }
      : { 'controller-revision-hash': live.kind === 'StatefulSet' ? `${name}-${hash}` : hash }
    const isNumbered = live.kind === 'StatefulSet'
    replacePods(cluster, live, podsOf(live, replicas, hash, isNumbered, labels, isJob), made)
  }

const kinds: ReadonlySet<string> = new Set(['Deployment', 'StatefulSet', 'DaemonSet', 'Job'])

/** Workloads get ready pods soon after they are written, except for those that are `isStuck`. */
export const withControllers = (
  cluster: MemoryCluster,
  isStuck: (live: ClusterObject) => boolean = () => false,
): void => {
  const seen = new Map<string, number>()
  const act = control(new Map())
  cluster.onChange(({ _tag, object }) => {
    const { generation = 1, uid } = object.metadata
    if (_tag === 'Removed' || !kinds.has(object.kind) || isStuck(object)) return
    if (object.metadata.deletionTimestamp !== undefined || seen.get(uid) === generation) return
    seen.set(uid, generation)
    // If it was written to since, a later call handles it.
    setImmediate(() => seen.get(uid) === generation && act(cluster, object))
  })
}
