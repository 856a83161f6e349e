/** Logging in to the API server at a real issuer, with the rights of an installation, on a real API server. */
import { randomBytes } from 'node:crypto'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { oidcIdentity } from '../../src/adapters/login/issuer.ts'
import { jweSealing } from '../../src/adapters/login/sealing.ts'
import { systemClock } from '../../src/adapters/system/clock.ts'
import { at, type Json, listAt, textAt } from '../../src/domain/cluster/json.ts'
import { resources } from '../../src/domain/cluster/resources.ts'
import { challengeOf } from '../../src/domain/platform/login/challenge.ts'
import { accountOf, userIdOf } from '../../src/domain/platform/names.ts'
import { bindingObject, namespaceObject } from '../../src/domain/platform/namespace/objects.ts'
import type { Cluster } from '../../src/ports/cluster.ts'
import { serveApi } from '../../src/server/serve.ts'
import { done, manager } from '../contract/cluster-world.ts'
import { reviewed, withRights } from '../support/e2e/platform.ts'
import { fresh } from '../support/e2e/platform-world.ts'
import { testIssuer } from '../support/platform/issuer.ts'
import { logInAs, type WebBrowser, webBrowser } from '../support/platform/web.ts'
import { settings, web } from '../support/platform/world.ts'
import { freePort } from '../support/process/ports.ts'
import { until } from '../support/process/until.ts'

type Answer = { readonly status: number; readonly json: Json }
type World = {
  readonly url: string
  readonly cluster: Cluster
  readonly idOf: (person: string) => string
  readonly send: (method: string, path: string, token?: string, body?: Json) => Promise<Answer>
  readonly lines: ReadonlyArray<string>
}

const serving = (use: (world: World) => Promise<void>): Promise<void> =>
  withRights('apps.example.com', async ({ api: account, cluster }) => {
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const redirect = `${url}/oidc/callback`
    const issuer = await testIssuer(redirect)
    const lines: Array<string> = []
    try {
      const api = await serveApi({
        cluster: account,
        clock: systemClock,
        random: { bytes: randomBytes },
        settings: {
          ...settings,
          url,
          admission: { admins: ['root@example.com'], domains: ['example.com'], groups: [] },
        },
        sealing: jweSealing('key', systemClock),
        identity: (failed) => oidcIdentity({ ...issuer, isInsecure: true, redirect }, failed),
        web,
        ports: { users: port, cluster: 0 },
        write: (line) => void lines.push(line),
      })
      const send: World['send'] = async (method, path, token, body) => {
        const answer = await fetch(`${url}/api/v1${path}`, {
          method,
          headers: {
            'content-type': 'application/json',
            ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        })
        const text = await answer.text()
        return { status: answer.status, json: text === '' ? {} : JSON.parse(text) }
      }
      try {
        const ready = (): Promise<Response> => fetch(`http://127.0.0.1:${api.clusterPort}/readyz`)
        await until('it is ready', async () => (await ready()).ok)
        await use({ url, cluster, send, lines, idOf: (person) => userIdOf(issuer.issuer, person) })
      } finally {
        await api.stop(0)
      }
    } finally {
      issuer.close()
    }
  })

const redirect = 'http://127.0.0.1:9/callback'
const verifier = 'v'.repeat(43)

/** As a terminal on the same machine does it. */
const loggedIn = async ({ send, url }: World, who: string): Promise<string> => {
  const browser = webBrowser()
  const asked = { name: 'laptop', challenge: challengeOf(verifier), state: 's'.repeat(20), redirect }
  const page = await logInAs(browser, `${url}/login/authorize?${new URLSearchParams(asked).toString()}`, who)
  assert.match(page.text, `${who}@example.com`)
  const back = await browser.submit(`${url}/login/authorize`, { ...asked, decision: 'allow' }, redirect)
  const code = new URL(back.url).searchParams.get('code') ?? ''
  const exchange = () => send('POST', '/login/code', undefined, { code, verifier, redirect })
  const made = await exchange()
  assert.is(made.status, 201, JSON.stringify(made.json))
  // A terminal that got no answer asks again, and no second token is made.
  assert.equal((await exchange()).json, made.json)
  return textAt(made.json, 'token') ?? ''
}

/** As a terminal elsewhere does it. */
const loggedInElsewhere = async ({ send, url }: World, browser: WebBrowser, who: string): Promise<string> => {
  const { json } = await send('POST', '/login/device', undefined, { name: 'server' })
  const [page, code, deviceCode] = ['page', 'userCode', 'deviceCode'].map((key) => textAt(json, key) ?? '')
  const shown = await logInAs(browser, page ?? '', who)
  assert.match(shown.text, code ?? '')
  const decided = await browser.submit(`${url}/login/device`, { code: code ?? '', decision: 'allow' })
  assert.is(decided.status, 200, decided.text)
  const asked = await send('POST', '/login/device/token', undefined, { deviceCode: deviceCode ?? '' })
  assert.is(textAt(asked.json, 'status'), 'done', JSON.stringify(asked.json))
  return textAt(asked.json, 'created', 'token') ?? ''
}

test('a user logs in and works, and Kubernetes refuses the user within 15 seconds of the logout', () =>
  serving(async (world) => {
    const { cluster, idOf, lines, send } = world
    const token = await loggedIn(world, 'ann')
    const credential = await send('POST', '/kubernetes/token', token)
    assert.is(credential.status, 201, JSON.stringify(credential.json))
    const bearer = textAt(credential.json, 'token') ?? ''
    assert.is(await reviewed(cluster, bearer), accountOf(idOf('ann')))
    assert.is((await send('DELETE', '/session', token)).status, 204)
    assert.is((await send('GET', '/me', token)).status, 401)
    await until('Kubernetes takes it no more', async () => (await reviewed(cluster, bearer)) === undefined, 60_000)
    assert.not.match(lines.join('\n'), /dvt_|eyJ/)
  }))

test('a terminal on another machine logs in, and a disabled user loses access at once', () =>
  serving(async (world) => {
    const { cluster, idOf, send } = world
    const root = await loggedIn(world, 'root')
    const browser = webBrowser()
    const token = await loggedInElsewhere(world, browser, 'ben')
    const credential = await send('POST', '/kubernetes/token', token)
    const bearer = textAt(credential.json, 'token') ?? ''
    assert.is((await send('GET', '/users', token)).status, 403)
    const disabled = await send('PUT', `/users/${idOf('ben')}`, root, { isDisabled: true })
    assert.is(disabled.status, 200, JSON.stringify(disabled.json))
    assert.is((await send('GET', '/me', token)).status, 401)
    assert.is((await logInAs(browser, `${world.url}/login/device`, 'ben')).status, 403)
    await until('Kubernetes takes it no more', async () => (await reviewed(cluster, bearer)) === undefined, 60_000)
    assert.is((await send('DELETE', `/users/${idOf('ben')}`, root)).status, 204)
  }))

test('variables are stored, roles given by a member are removed with the member, and an interrupted creation is completed', () =>
  serving(async (world) => {
    const { cluster, idOf, send } = world
    const [ann, ben, root] = [await loggedIn(world, 'ann'), await loggedIn(world, 'ben'), await loggedIn(world, 'root')]
    const name = fresh('login')
    try {
      await done(
        cluster.create({ resource: resources.Namespace }, namespaceObject(name, 'namespace', idOf('ann')), { manager }),
      )
      await until('its owner sees it', async () => {
        const { json } = await send('GET', '/namespaces', ann)
        return listAt(json, 'namespaces').some((one) => textAt(one, 'name') === name)
      })
      const path = `/namespaces/${name}`
      assert.is((await send('PUT', `${path}/members/${idOf('ben')}`, ann, { role: 'member' })).status, 200)
      assert.is((await send('PUT', '/variables/COLOR', root, { value: 'blue' })).status, 204)
      await until('the member may write', async () => {
        const set = await send('PUT', `${path}/variables/SIZE`, ben, { value: 'L' })
        return set.status === 204
      })
      assert.equal(listAt((await send('GET', `${path}/variables/values`, ben)).json, 'variables'), [
        { name: 'COLOR', scope: 'all', value: 'blue' },
        { name: 'SIZE', scope: 'namespace', value: 'L' },
      ])
      const own = bindingObject(name, { id: idOf('ben'), email: '' }, 'viewer')
      const asBen = cluster.as({ user: accountOf(idOf('ben')) })
      const place = { resource: resources.RoleBinding, namespace: name }
      const metadata = { name: 'own', namespace: name }
      const body = {
        ...own,
        metadata,
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
      }
      await done(asBen.create(place, body, { manager }))
      assert.is((await send('DELETE', `${path}/members/${idOf('ben')}`, ann)).status, 204)
      const left = await done(cluster.list(place))
      assert.not(left.items.some((one) => JSON.stringify(at(one, 'subjects')).includes(idOf('ben'))))
      assert.is((await send('DELETE', `${path}/variables/SIZE`, ann)).status, 204)
      assert.is((await send('DELETE', '/variables/COLOR', root)).status, 204)
    } finally {
      await done(cluster.remove({ resource: resources.Namespace, name }, { propagation: 'Background' }))
    }
  }))

test.run()
