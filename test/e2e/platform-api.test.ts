/** The API server with the rights and policies of an installation, on a real API server. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { systemClock } from '../../src/adapters/system/clock.ts'
import { type Json, listAt, textAt } from '../../src/domain/cluster/json.ts'
import { resources } from '../../src/domain/cluster/resources.ts'
import { accountOf, userIdOf } from '../../src/domain/platform/names.ts'
import type { Cluster } from '../../src/ports/cluster.ts'
import { runController } from '../../src/server/control.ts'
import { done, manager } from '../contract/cluster-world.ts'
import { joined, reviewed, withRights } from '../support/e2e/platform.ts'
import { programs } from '../support/e2e/platform-runs.ts'
import { fresh } from '../support/e2e/platform-world.ts'
import { startApi, untilReady } from '../support/platform/api.ts'
import { until } from '../support/process/until.ts'

const issuer = 'https://login.example.com'
const idOf = (person: string): string => userIdOf(issuer, person)

type Answer = { readonly status: number; readonly json: Json }
type Send = (method: string, path: string, token: string, body?: Json) => Promise<Answer>

const sending =
  (port: number): Send =>
  async (method, path, token, body) => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    return { status: answer.status, json: text === '' ? {} : JSON.parse(text) }
  }

/** `other` asks a second server, as an installation has it. */
const served = (use: (send: Send, api: Cluster, cluster: Cluster, other: Send) => Promise<void>): Promise<void> =>
  withRights('apps.example.com', async ({ api, cluster, controller }) => {
    const lines: Array<string> = []
    // The cluster is closed by whoever opened it.
    const start = () => startApi({ cluster: { ...api, close: () => {} } })
    const [server, other] = [await start(), await start()]
    const control = runController({
      cluster: controller,
      clock: systemClock,
      programs,
      holder: 'one',
      write: (line) => lines.push(line),
    })
    try {
      await untilReady(server)
      await untilReady(other)
      await use(sending(server.port), api, cluster, sending(other.port))
    } catch (cause) {
      throw new Error(`${String(cause)}\n${lines.join('\n')}`, { cause })
    } finally {
      await control.stop()
      await server.stop(0)
      await other.stop(0)
    }
  })

test('a user creates a namespace, works in it and shares it, and loses access with the token', () =>
  served(async (send, api, cluster, other) => {
    const [ann, ben] = [await joined(api, issuer, 'ann'), await joined(api, issuer, 'ben')]
    const name = fresh('api')
    const [path, member] = [`/namespaces/${name}`, `/namespaces/${name}/members/ben@example.com`]

    const made = await send('POST', '/namespaces', ann, { name })
    assert.is(made.status, 201, JSON.stringify(made.json))
    try {
      const quota = await done(cluster.get({ resource: resources.ResourceQuota, namespace: name, name: 'devtool' }))
      assert.is(textAt(quota, 'spec', 'hard', 'services.loadbalancers'), '0')

      // Kubernetes itself knows the owner as such, and nobody else.
      const create = (user: string) =>
        api
          .as({ user: accountOf(idOf(user)) })
          .create(
            { resource: resources.ConfigMap, namespace: name },
            { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'made-by-', namespace: name } },
            { manager },
          )()
      await until('the owner may work in it', async () => (await create('ann'))._tag === 'Right')
      assert.is((await create('ben'))._tag, 'Left')
      assert.is((await send('GET', path, ben)).status, 404)

      const added = await send('PUT', member, ann, { role: 'member' })
      assert.is(added.status, 200, JSON.stringify(added.json))
      await until('the member may work in it', async () => (await create('ben'))._tag === 'Right')
      assert.is((await send('DELETE', path, ben)).status, 403)
      const listed = await send('GET', '/namespaces', ben)
      assert.equal(
        listAt(listed.json, 'namespaces').map((one) => [textAt(one, 'name'), textAt(one, 'role')]),
        [[name, 'member']],
      )
      assert.is((await send('DELETE', member, ann)).status, 204)
      await until('the member is out', async () => (await create('ben'))._tag === 'Left')

      const issued = await send('POST', '/kubernetes/token', ann)
      assert.is(issued.status, 201, JSON.stringify(issued.json))
      const credential = textAt(issued.json, 'token') ?? ''
      assert.is(await reviewed(cluster, credential), accountOf(idOf('ann')))
      assert.is((await other('GET', '/me', ann)).status, 200)
      const own = listAt((await send('GET', '/tokens', ann)).json, 'tokens')
      assert.is((await send('DELETE', `/tokens/${textAt(own[0], 'id')}`, ann)).status, 204)
      // Nothing of a token is kept between two requests, so it ends at once wherever it is shown.
      assert.equal([(await send('GET', '/me', ann)).status, (await other('GET', '/me', ann)).status], [401, 401])
      await until(
        'Kubernetes takes it no more',
        async () => (await reviewed(cluster, credential)) === undefined,
        60_000,
      )
    } finally {
      await done(cluster.remove({ resource: resources.Namespace, name }, { propagation: 'Background' }))
    }
  }))

test('a namespace that its owner deleted can be created again', () =>
  served(async (send, api, cluster) => {
    const token = await joined(api, issuer, 'ann')
    const name = fresh('api')
    assert.is((await send('POST', '/namespaces', token, { name })).status, 201)
    assert.is((await send('POST', '/namespaces', token, { name })).status, 409)
    const deleted = await send('DELETE', `/namespaces/${name}`, token)
    assert.equal([deleted.status, textAt(deleted.json, 'status')], [202, 'Deleting'])
    await until('it is gone', async () => {
      const left = await done(cluster.get({ resource: resources.Namespace, name }))
      return left === undefined && (await send('GET', `/namespaces/${name}`, token)).status === 404
    })
  }))

test.run()
