/** The contract of clusters on the real API server. */
import { test } from 'uvu'
import type { Cluster } from '../../src/ports/cluster.ts'
import { clusterCases } from '../contract/cluster-suite.ts'
import { connectReal, withNamespace } from '../support/e2e/real-cluster.ts'

let opened: { readonly cluster: Cluster; readonly namespace: string; readonly end: () => Promise<void> } | undefined

test.before(async () => {
  const cluster = await connectReal()
  const { end, name } = await withNamespace(cluster, 'contract')
  opened = { cluster, namespace: name, end }
})

test.after(async () => {
  await opened?.end()
  opened?.cluster.close()
})

const world = () => {
  if (opened === undefined) throw new Error('no cluster')
  return opened
}

for (const [title, run] of clusterCases(world)) test(`real: ${title}`, run)

test.run()
