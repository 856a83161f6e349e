/** The build service: which pod builds for a namespace, and what a client needs to connect to it. */
import { once } from 'node:events'
import { connect, createServer } from 'node:tls'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { x509Certificates } from '../../../src/adapters/x509/certificates.ts'
import { partition } from '../../../src/domain/plan/action.ts'
import { builderFoundation, builderPlan } from '../../../src/domain/platform/manifests/builder.ts'
import { builderPodFor } from '../../../src/domain/platform/manifests/builder-pod.ts'
import { builderPod, testPlatform } from '../../support/platform/world.ts'

const pods = ['buildkitd-0', 'buildkitd-1', 'buildkitd-2']
const namespaces = Array.from({ length: 300 }, (_, index) => `team-${index}`)

test('a namespace always builds in the same pod, and moves only when that pod is gone', () => {
  const before = namespaces.map((namespace) => builderPodFor(namespace, pods))
  assert.equal(
    namespaces.map((namespace) => builderPodFor(namespace, pods.toReversed())),
    before,
  )
  for (const pod of pods) assert.ok(before.filter((one) => one === pod).length > 50, pod)
  const after = namespaces.map((namespace) => builderPodFor(namespace, pods.slice(0, 2)))
  for (const [index, pod] of before.entries()) if (pod !== 'buildkitd-2') assert.is(after[index], pod)
  assert.is(builderPodFor('shop', []), undefined)
})

/** What a server that requires certificates of its clients says of one. */
const accepted = async (
  server: { readonly certificate: string; readonly key: string },
  authority: string,
  client: { readonly certificate: string; readonly key: string } | undefined,
): Promise<boolean> => {
  const options = { cert: server.certificate, key: server.key, ca: authority, requestCert: true }
  const listening = createServer(options, (socket) => socket.on('error', () => {}).end('welcome'))
  listening.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  const address = listening.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  try {
    return await new Promise((resolve) => {
      const own = client === undefined ? {} : { cert: client.certificate, key: client.key }
      const socket = connect({ host: '127.0.0.1', port, servername: 'builder.devtool', ca: authority, ...own })
      socket
        .on('data', () => resolve(true))
        .on('error', () => resolve(false))
        .on('close', () => resolve(false))
    })
  } finally {
    listening.close()
  }
}

test('a member gets a certificate that the builder accepts, and that is not valid for servers', async () => {
  const { cluster, send } = testPlatform()
  const ask = async () => {
    const answer = await send('POST', '/api/v1/namespaces/shop/builder/session', { as: 'member' })
    assert.is(answer.status, 201)
    const said: Readonly<Record<string, string>> = JSON.parse(await answer.text())
    return said
  }
  const { address, authority = '', certificate = '', expires, host, key = '' } = await ask()
  assert.is(address, 'kube-pod://buildkitd-0?namespace=devtool-builder&port=1234')
  assert.is(host, 'builder.devtool')
  assert.is(expires, '2026-11-21T22:00:00Z')
  // The clock of the platform under test stands still, so its authority is not this machine's idea of valid.
  const now = { nowMs: Date.now(), days: 1 }
  const own = x509Certificates.authority('devtool builder', now)
  const server = x509Certificates.issue(own, ['builder.devtool'], now)
  const client = x509Certificates.issueClient(own, 'ann', now)
  assert.ok(await accepted(server, own.certificate, client))
  assert.not.ok(await accepted(server, own.certificate, undefined))
  assert.not.ok(await accepted(server, own.certificate, { certificate, key }))
  assert.not.ok(await accepted(client, own.certificate, client))
  assert.not.ok(await accepted(server, authority, client))

  // The other pod is preferred for this namespace, once it is ready.
  const preferred = builderPodFor('shop', pods) ?? ''
  cluster.put(builderPod(preferred))
  assert.match((await ask())['address'] ?? '', preferred)
})

test('the builder listens on loopback with TLS only, has no Service, and users may only forward ports to it', () => {
  const plan = builderPlan(
    { mode: 'rootless', image: 'buildkit' },
    { authority: 'QQ==', server: 'Qg==', serverKey: 'Qw==' },
  )
  const objects = partition(plan.actions).Apply.map(({ object }) => object)
  assert.equal(
    objects.map(({ kind }) => kind),
    ['Secret', 'StatefulSet'],
  )
  const set = objects.find((object) => object.kind === 'StatefulSet')
  const [container] = set?.kind === 'StatefulSet' ? set.spec.template.spec.containers : []
  const addresses = (container?.args ?? []).filter((word) => word.startsWith('--addr='))
  assert.equal(addresses, ['--addr=unix:///run/buildkit/buildkitd.sock', '--addr=tcp://127.0.0.1:1234'])
  assert.ok(container?.args?.includes('--tlscacert=/etc/devtool/tls/ca.crt'))
  assert.is(container?.securityContext?.privileged, undefined)
  assert.is(container?.ports, undefined)
  const rules = builderFoundation.flatMap((object) => (object.kind === 'Role' ? object.rules : []))
  assert.equal(
    rules.map(({ resources, verbs }) => `${resources.join()}: ${verbs.join()}`),
    ['pods: list', 'rolebindings: create', 'roles: bind', 'pods: get', 'pods/portforward: get,create'],
  )
  const secret = objects.find((object) => object.kind === 'Secret')
  assert.not.ok(JSON.stringify([...(secret?.kind === 'Secret' ? secret.data.keys() : [])]).includes('ca.key'))
})

test.run()
