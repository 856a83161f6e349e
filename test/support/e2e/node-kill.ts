/** Kills a program of a pod from outside, as the kernel does: the first program of a container ignores it from inside. */

import { textAt } from '../../../src/domain/cluster/json.ts'
import { resources } from '../../../src/domain/cluster/resources.ts'
import type { Cluster } from '../../../src/ports/cluster.ts'
import { done, manager } from '../../contract/cluster-world.ts'
import { until } from '../process/until.ts'
import { fresh } from './platform-world.ts'

const namespace = 'kube-system'

/** `node`: where it runs. `mark`: a variable of its environment, as `NAME=VALUE`. */
export const killedOnNode = async (cluster: Cluster, node: string, mark: string): Promise<void> => {
  const name = fresh('kill')
  const find = `for p in /proc/[0-9]*; do tr '\\0' '\\n' < $p/environ 2>/dev/null | grep -qx '${mark}' && kill -9 \${p#/proc/} && found=1; done; test -n "$found"`
  const container = { name: 'kill', image: 'busybox:1.37', command: ['sh', '-c', find] }
  const spec = {
    nodeName: node,
    hostPID: true,
    restartPolicy: 'Never',
    containers: [{ ...container, securityContext: { privileged: true } }],
  }
  const body = { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace }, spec }
  await done(cluster.create({ resource: resources.Pod, namespace }, body, { manager }))
  const key = { resource: resources.Pod, namespace, name }
  try {
    await until('it is killed', async () => {
      const phase = textAt(await done(cluster.get(key)), 'status', 'phase')
      if (phase === 'Failed') throw new Error(`no program has ${mark}`)
      return phase === 'Succeeded'
    })
  } finally {
    await done(cluster.remove(key, { propagation: 'Background' }))
  }
}
