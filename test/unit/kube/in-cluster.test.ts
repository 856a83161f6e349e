/** Clusters that are in no kubeconfig: that of the pod in which a program runs, and one that a platform names. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { makeIdentity } from '../../../src/adapters/kube/proxy/certificate.ts'
import { resources } from '../../../src/domain/cluster/resources.ts'
import { realClusters } from '../../support/e2e/real-cluster.ts'

type Context = { folder: string; tokens: Array<string>; accepted: string; port: string; end: () => void }

const test = suite<Context>('in a cluster')

test.before.each(async (context) => {
  context.folder = mkdtempSync(join(tmpdir(), 'in-cluster-'))
  context.tokens = []
  context.accepted = 'Bearer first'
  const identity = makeIdentity(Date.now())
  const server = createServer(
    { key: identity.key, cert: identity.certificate },
    ({ headers: { authorization = '' } }, response) => {
      context.tokens.push(authorization)
      response.writeHead(authorization === context.accepted ? 200 : 401, { 'content-type': 'application/json' })
      response.end(
        JSON.stringify({
          metadata: { name: 'a', uid: 'u', resourceVersion: '1' },
          apiVersion: 'v1',
          kind: 'ConfigMap',
        }),
      )
    },
  )
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  context.port = String(typeof address === 'object' ? address?.port : '')
  context.end = () => {
    server.closeAllConnections()
    server.close()
  }
  writeFileSync(join(context.folder, 'token'), 'first\n')
  writeFileSync(join(context.folder, 'ca.crt'), identity.certificate)
  writeFileSync(join(context.folder, 'namespace'), 'mine')
})
test.after.each(({ end, folder }) => {
  end()
  rmSync(folder, { recursive: true })
})

const clustersIn = ({ folder, port }: Context, env: Readonly<Record<string, string>> = {}) =>
  realClusters(
    { KUBERNETES_SERVICE_HOST: '127.0.0.1', KUBERNETES_SERVICE_PORT: port, KUBECONFIG: join(folder, 'none'), ...env },
    { accountFolder: folder },
  )

const key = { resource: resources.ConfigMap, namespace: 'mine', name: 'a' }

test('a pod has its cluster, account and namespace, and a changed token is read again', async (context) => {
  const opened = await clustersIn(context).inCluster()()
  if (E.isLeft(opened)) throw new Error(opened.left.message)
  const { cluster, namespace } = opened.right
  assert.is(namespace, 'mine')
  assert.ok(E.isRight(await cluster.get(key)()))
  writeFileSync(join(context.folder, 'token'), 'second\n')
  context.accepted = 'Bearer second'
  assert.ok(E.isRight(await cluster.get(key)()))
  assert.equal(context.tokens, ['Bearer first', 'Bearer first', 'Bearer second'])
  cluster.close()
})

test('a kubeconfig that is missing or empty means the cluster of the pod', async (context) => {
  const empty = join(context.folder, 'empty')
  writeFileSync(empty, '')
  for (const KUBECONFIG of [join(context.folder, 'none'), empty]) {
    const clusters = clustersIn(context, { KUBECONFIG })
    const config = await clusters.kubeconfig()()
    const server = `https://127.0.0.1:${context.port}`
    assert.equal(E.isRight(config) ? config.right : config, {
      files: [context.folder],
      current: 'in-cluster',
      contexts: [{ name: 'in-cluster', namespace: 'mine', server }],
    })
    const cluster = await clusters.connect({ context: 'in-cluster' })()
    if (E.isLeft(cluster)) throw new Error(cluster.left.message)
    assert.ok(E.isRight(await cluster.right.get(key)()))
    cluster.right.close()
  }
})

test('in a pod, a kubeconfig that names a cluster or was requested is used', async (context) => {
  const file = join(context.folder, 'config')
  writeFileSync(file, 'contexts: [{name: other, context: {cluster: other}}]')
  const named = await clustersIn(context, { KUBECONFIG: file }).kubeconfig()()
  assert.equal(E.isRight(named) ? named.right.contexts : named, [{ name: 'other' }])
  const asked = await clustersIn(context).kubeconfig(join(context.folder, 'none'))()
  assert.is(E.isLeft(asked) ? asked.left.code : '', 'DT3008')
})

test('outside of a pod there is no in-cluster configuration', async (context) => {
  const opened = await clustersIn(context, { KUBERNETES_SERVICE_HOST: '' }).inCluster()()
  assert.is(E.isLeft(opened) ? opened.left.code : '', 'DT3008')
  rmSync(join(context.folder, 'token'))
  assert.is(E.isLeft(await clustersIn(context).inCluster()()), true)
  const config = await clustersIn(context).kubeconfig()()
  assert.match(E.isLeft(config) ? config.left.message : '', /none/)
})

test('a cluster named by a platform is used with its tokens, and a rejected token is requested again', async (context) => {
  const given = ['first', 'second']
  const token = () => TE.of({ token: given.shift() ?? 'none', expires: '2126-01-01T00:00:00Z' })
  const authority = readFileSync(join(context.folder, 'ca.crt'), 'utf8')
  const server = `https://127.0.0.1:${context.port}`
  const opened = await clustersIn(context).withTokens({ name: 'https://platform.test', server, authority, token })()
  if (E.isLeft(opened)) throw new Error(opened.left.message)
  assert.ok(E.isRight(await opened.right.get(key)()))
  context.accepted = 'Bearer second'
  assert.ok(E.isRight(await opened.right.get(key)()))
  assert.is(context.tokens[0], 'Bearer first')
  assert.is(context.tokens.at(-1), 'Bearer second')
})

test.run()
