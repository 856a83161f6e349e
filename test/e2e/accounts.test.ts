/** Acting as an account of the cluster, and from within a pod, on the real API server. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { at, textAt } from '../../src/domain/cluster/json.ts'
import { resources, selfReviews } from '../../src/domain/cluster/resources.ts'
import type { Cluster } from '../../src/ports/cluster.ts'
import { done, failed, manager, statusOf } from '../contract/cluster-world.ts'
import { connectReal, realClusters, serviceAccounts, withNamespace } from '../support/e2e/real-cluster.ts'
import { until } from '../support/process/until.ts'

const nameOf = async (cluster: Cluster): Promise<string | undefined> => {
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: selfReviews.kind }
  return textAt(
    await done(cluster.create({ resource: selfReviews }, body, { manager })),
    'status',
    'userInfo',
    'username',
  )
}

const within = async (run: (cluster: Cluster, namespace: string) => Promise<void>): Promise<void> => {
  const cluster = await connectReal()
  const { end, name } = await withNamespace(cluster, 'accounts')
  try {
    await run(cluster, name)
  } finally {
    await end()
    cluster.close()
  }
}

test('impersonating a service account limits requests, watches and connections to its permissions', () =>
  within(async (cluster, namespace) => {
    const user = `system:serviceaccount:${namespace}:default`
    const other = cluster.as({ user })
    assert.is(await nameOf(other), user)
    const { signal } = new AbortController()
    const pod = { namespace, name: 'none' }
    assert.is(statusOf(await failed(other.list({ resource: resources.Secret, namespace }))), '403 Forbidden')
    for await (const event of other.watch({ resource: resources.Secret, namespace, version: '0' }, signal)) {
      assert.is(event._tag === 'Failed' ? statusOf(event.failure) : event._tag, '403 Forbidden')
    }
    assert.is(statusOf(await failed(other.pods.dial(pod, 80, signal))), '403 Forbidden')
    assert.is(statusOf(await failed(other.pods.exec(pod, { command: ['true'] }, signal))), '403 Forbidden')
    assert.is.not(await nameOf(cluster), user)
  }))

test("in a pod, the cluster is used as the pod's service account", () =>
  within(async (cluster, namespace) => {
    const made = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'tester' } }
    await done(cluster.create({ resource: serviceAccounts, namespace }, made, { manager }))
    const account = { ...serviceAccounts, plural: 'serviceaccounts/tester/token' }
    const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} }
    const token = await done(cluster.create({ resource: account, namespace }, body, { manager }))
    const key = { resource: resources.ConfigMap, namespace, name: 'kube-root-ca.crt' }
    let authority: unknown
    await until('the namespace has the certificate', async () => {
      authority = at(await done(cluster.get(key)), 'data', 'ca.crt')
      return authority !== undefined
    })
    const folder = mkdtempSync(join(tmpdir(), 'account-'))
    writeFileSync(join(folder, 'token'), textAt(token, 'status', 'token') ?? '')
    writeFileSync(join(folder, 'ca.crt'), String(authority))
    writeFileSync(join(folder, 'namespace'), namespace)
    const { hostname, port } = new URL(cluster.server)
    const env = { KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port }
    const opened = await realClusters(env, { accountFolder: folder }).inCluster()()
    if (E.isLeft(opened)) throw new Error(opened.left.message)
    assert.is(opened.right.namespace, namespace)
    assert.is(await nameOf(opened.right.cluster), `system:serviceaccount:${namespace}:tester`)
    opened.right.cluster.close()
    rmSync(folder, { recursive: true })
  }))

test.run()
