/** The built program in a pod, without a kubeconfig: it has the cluster, the account and the namespace of the pod. */
import { execFileSync } from 'node:child_process'
import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Cluster } from '../../src/ports/cluster.ts'
import { done, manager } from '../contract/cluster-world.ts'
import { asking, read, within } from '../contract/pods-world.ts'
import { startPod } from '../support/e2e/pod.ts'
import { connectReal, serviceAccounts, withNamespace } from '../support/e2e/real-cluster.ts'

const rbac = 'rbac.authorization.k8s.io'
const bindings = { group: rbac, version: 'v1', plural: 'rolebindings', kind: 'RoleBinding', isNamespaced: true }

/** May do in its namespace what the built-in role `edit` allows. */
const makeEditor = async (cluster: Cluster, namespace: string): Promise<void> => {
  const account = { apiVersion: 'v1', kind: serviceAccounts.kind, metadata: { name: 'editor' } }
  await done(cluster.create({ resource: serviceAccounts, namespace }, account, { manager }))
  const binding = {
    apiVersion: `${rbac}/v1`,
    kind: bindings.kind,
    metadata: { name: 'editor' },
    roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: 'edit' },
    subjects: [{ kind: serviceAccounts.kind, name: 'editor', namespace }],
  }
  await done(cluster.create({ resource: bindings, namespace }, binding, { manager }))
}

test('devtool in a pod deploys to its namespace, and lists it, with a kubeconfig that is missing or empty', async () => {
  const cluster = await connectReal()
  const { end, name: namespace } = await withNamespace(cluster, 'in-pod')
  try {
    await makeEditor(cluster, namespace)
    const pod = { namespace, name: 'runner' }
    await startPod(cluster, pod, { image: 'node:22', command: ['sleep', '600'], account: 'editor' })
    const { exec, run } = asking(() => ({ cluster, pod, cut: () => {} }))

    const packed = execFileSync('tar', ['-c', 'dist'], { maxBuffer: 64 * 1024 * 1024 })
    const copy = await exec({ command: ['tar', '-x', '-C', '/tmp'], hasStdin: true })
    copy.stdin.end(packed)
    await Promise.all([read(copy.stdout), read(copy.stderr)])
    assert.equal(await within('tar', copy.exit()), E.right(0))

    const compose = 'services:\n  web:\n    image: busybox:latest\n    command: [sleep, "600"]\n'
    const devtool = 'HOME=/tmp/home node /tmp/dist/devtool.cjs'
    const deployed = await run('sh', '-c', `printf '${compose}' | ${devtool} deploy -f - --name shop --yes`)
    assert.is(deployed.exit, 0, deployed.err)
    for (const kubeconfig of ['/tmp/none', '/tmp/empty']) {
      const command = `: > /tmp/empty; KUBECONFIG=${kubeconfig} ${devtool} list -o name`
      const err = `using in-cluster, namespace ${namespace}\n`
      assert.equal(await run('sh', '-c', command), { out: 'shop\n', err, exit: 0 })
    }
  } finally {
    await end()
    cluster.close()
  }
})

test.run()
