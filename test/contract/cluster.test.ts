/** The cluster in memory obeys what a real one does; `test/e2e/cluster.test.ts` tries the same there. */
import { test } from 'uvu'
import { memoryCluster } from '../memory/cluster.ts'
import { clusterCases } from './cluster-suite.ts'

const namespace = 'contract'
const objects = [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }]
const cluster = memoryCluster({ objects })

for (const [title, run] of clusterCases(() => ({ cluster, namespace }))) test(`memory: ${title}`, run)

test.run()
