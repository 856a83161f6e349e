/** What others do to the objects of an environment. */
import { resources } from '../../../src/domain/cluster/resources.ts'
import type { MemoryCluster } from '../../memory/cluster.ts'

/** Takes the image of `web` for itself, as `kubectl set image` does. */
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

/** A container of `web` writes a line that is JSON. */
export const logLines = async (cluster: MemoryCluster): Promise<unknown> => {
  cluster.put({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: 'web-0',
      uid: 'web-0',
      namespace: 'demo',
      labels: { 'dev.devtool/environment': 'shop', 'dev.devtool/service': 'web' },
    },
    spec: { containers: [{ name: 'web' }] },
    status: { phase: 'Running', containerStatuses: [{ name: 'web', restartCount: 0, state: { running: {} } }] },
  })
  return cluster.say('demo/web-0', 'web', ['{"level":"info","msg":"hello"}'])
}
