/** Changes that others make to the objects of an environment. */

import type { ClusterObject } from '../../../src/domain/cluster/live.ts'
import { resources } from '../../../src/domain/cluster/resources.ts'
import { readRecord, recordBody } from '../../../src/domain/environment/record.ts'
import { settle } from '../../memory/clock.ts'
import type { MemoryCluster } from '../../memory/cluster.ts'

/** Takes ownership of the image of `web`, as `kubectl set image` does. */
export const takeImage = (cluster: MemoryCluster): Promise<unknown> => {
  const key = { resource: resources.StatefulSet, namespace: 'demo', name: 'web' }
  const body = {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: 'web', namespace: 'demo' },
    spec: { template: { spec: { containers: [{ name: 'web', image: 'nginx:9' }] } } },
  }
  return cluster.apply(key, JSON.stringify(body), { manager: 'kubectl-set', force: true })()
}

export const foreignLease = {
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { name: 'devtool-env-shop', namespace: 'demo' },
  spec: { holderIdentity: 'somebody else' },
}

export const takeLock = async (cluster: MemoryCluster): Promise<unknown> => cluster.put(foreignLease)

/** Another run holds the lock: it renews it once after it was read, and then ends. */
export const holdLock = async (cluster: MemoryCluster): Promise<unknown> => {
  const begun = cluster.asked().length
  const looks = (): number =>
    cluster
      .asked()
      .slice(begun)
      .filter(({ verb, what }) => verb === 'get' && what === 'Lease/devtool-env-shop').length
  const work = (renewals: number): void => {
    if (looks() < renewals) void setImmediate(() => work(renewals))
    else if (renewals === 2) cluster.take('Lease', 'devtool-env-shop', 'demo')
    else {
      cluster.put({ ...foreignLease, spec: { ...foreignLease.spec, leaseTransitions: renewals } })
      work(renewals + 1)
    }
  }
  cluster.put(foreignLease)
  return work(1)
}

/** A finalizer keeps `web` from being deleted. */
export const holdObject = (cluster: MemoryCluster): Promise<unknown> => {
  const key = { resource: resources.StatefulSet, namespace: 'demo', name: 'web' }
  const metadata = { name: 'web', namespace: 'demo', finalizers: ['example.com/hold'] }
  const body = { apiVersion: 'apps/v1', kind: 'StatefulSet', metadata }
  return cluster.apply(key, JSON.stringify(body), { manager: 'holder', force: false })()
}

/** Another project deploys under the same name and keeps the history. */
export const moveAway = async (cluster: MemoryCluster): Promise<unknown> => {
  const live = await cluster.get({ resource: resources.ConfigMap, namespace: 'demo', name: 'devtool-env-shop' })()
  const record = live._tag === 'Right' && live.right !== undefined ? readRecord(live.right) : undefined
  if (record?._tag !== 'Right') throw new Error('there is no record')
  const source = { repository: 'git.test/team/shop', folder: '' }
  const body = recordBody('demo', { ...record.right, source, services: ['elsewhere'] })
  if (body._tag === 'Left') throw new Error(body.left.message)
  return cluster.put(body.right)
}

const runs = (cluster: MemoryCluster, service: string): void => {
  const name = `${service}-0`
  cluster.put({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      ...{ name, uid: name, namespace: 'demo' },
      labels: { 'dev.devtool/environment': 'shop', 'dev.devtool/service': service },
    },
    spec: { containers: [{ name: service }] },
    status: { phase: 'Running', containerStatuses: [{ name: service, restartCount: 0, state: { running: {} } }] },
  })
}

/** Two services write log lines, one of them JSON. */
export const logLines = async (cluster: MemoryCluster): Promise<unknown> => {
  for (const service of ['web', 'api']) runs(cluster, service)
  cluster.say('demo/api-0', 'api', ['ready'])
  return cluster.say('demo/web-0', 'web', ['starting', '{"level":"info","msg":"hello"}'])
}

/** The container of `web` ends, is restarted once, and ends again. */
export const crashOnce = async (cluster: MemoryCluster): Promise<unknown> => {
  const revision = 'web-1'
  const put = (owner: ClusterObject, restartCount: number): void => {
    const { apiVersion, kind, metadata } = owner
    const labels = { ...metadata.labels, 'controller-revision-hash': revision }
    const ownerReferences = [{ apiVersion, kind, name: metadata.name, uid: metadata.uid, controller: true }]
    const state = { waiting: { reason: 'CrashLoopBackOff', message: 'back-off' } }
    const lastState = { terminated: { exitCode: 1, reason: 'Error' } }
    cluster.put({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'web-0', namespace: 'demo', labels, ownerReferences },
      spec: { containers: [{ name: 'web', image: 'nginx' }] },
      status: {
        phase: 'Running',
        containerStatuses: [{ name: 'web', ready: false, started: false, restartCount, state, lastState }],
      },
    })
  }
  const stop = cluster.onChange(({ object }) => {
    if (object.kind !== 'StatefulSet') return
    stop()
    const { generation = 1 } = object.metadata
    cluster.put({
      ...object,
      status: { observedGeneration: generation, replicas: 1, currentRevision: revision, updateRevision: revision },
    })
    put(object, 0)
    void settle(200).then(() => put(object, 1))
  })
  return undefined
}
