/** Who may do what, made of the table of routes: every route, as every kind of person. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { codeKeyOf } from '../../../src/app/platform/login.ts'
import type { ApiRoute, Audience } from '../../../src/domain/platform/api/route.ts'
import { type RouteId, routes } from '../../../src/domain/platform/api/routes.ts'
import { approvalObject } from '../../../src/domain/platform/login/approval.ts'
import { challengeOf } from '../../../src/domain/platform/login/challenge.ts'
import { encodeBase64, encodeBase64Text } from '../../../src/domain/text/base64.ts'
import { putPreview, putRun, REPOSITORY, RUN } from '../../support/platform/runs.ts'
import {
  idOf,
  type Person,
  persons,
  roleOf,
  type TestPlatform,
  testPlatform,
  tokenIdOf,
} from '../../support/platform/world.ts'

const [verifier, redirect] = ['v'.repeat(43), 'http://127.0.0.1:4711/callback']
const seed = encodeBase64(new Uint8Array(48).fill(250))
const code = { user: idOf('stranger'), name: 'laptop', challenge: challengeOf(verifier), redirect, seed }
const device = { userCode: 'BCDFGHJK', name: 'laptop', seed }
/** Of who has agreed to the code in the browser. */
const approval = { user: idOf('stranger'), isAllowed: true, expires: '2027-01-01T00:00:00Z', epoch: '' }

/** As the platform of the tests seals it. */
const sealedCode = (purpose: string, content: object): string =>
  encodeBase64Text(JSON.stringify({ purpose, content, until: Number.MAX_SAFE_INTEGER }))

/** A request that is valid for whoever may send it. `own`: of that person. `may`: what the handler itself asks for. */
const requests: Readonly<
  Record<RouteId, { readonly path?: (own: Person) => string; readonly body?: object; readonly may?: Audience }>
> = {
  meta: {},
  me: {},
  listTokens: {},
  createToken: { body: { name: 'ci' } },
  deleteToken: { path: (own) => `/api/v1/tokens/${tokenIdOf(own)}` },
  createCredential: {},
  cluster: {},
  listNamespaces: {},
  createNamespace: { body: { name: 'blog' } },
  getNamespace: {},
  deleteNamespace: {},
  listMembers: {},
  setMember: { body: { role: 'viewer' } },
  removeMember: {},
  exchangeCode: { body: { code: sealedCode('code', code), verifier, redirect } },
  startDevice: { body: { name: 'laptop' } },
  finishDevice: { body: { deviceCode: sealedCode('device', device) } },
  endSession: {},
  listVariables: {},
  readVariables: {},
  setVariable: { body: { value: 'green' } },
  unsetVariable: {},
  listSharedVariables: {},
  setSharedVariable: { body: { value: 'green' } },
  unsetSharedVariable: {},
  listAllNamespaces: {},
  readSettings: {},
  listUsers: {},
  setUser: { body: { isDisabled: true } },
  revokeUser: {},
  revokeOwn: {},
  deleteUser: {},
  listServices: {},
  sleepNamespace: {},
  wakeNamespace: {},
  createBuilderSession: {},
  listPipelines: {},
  deployPipeline: { body: { name: 'web', repository: REPOSITORY } },
  getPipeline: {},
  destroyPipeline: {},
  listRuns: {},
  getRun: {},
  cancelRun: {},
  followRun: {},
  listPreviews: {},
  deployPreview: { body: { repository: REPOSITORY } },
  getPreview: {},
  destroyPreview: { may: 'owner' },
  listPreviewEndpoints: {},
}

/** A platform with something of everything. */
const filledPlatform = (): TestPlatform => {
  const platform = testPlatform()
  putPreview(platform)
  putRun(platform)
  return platform
}

const isOfPreview = ({ path }: ApiRoute): boolean => path.startsWith('/api/v1/previews/')

const pathIn = (
  route: ApiRoute,
  id: RouteId,
  person: Person,
  namespace = isOfPreview(route) ? 'look' : 'shop',
): string =>
  requests[id].path?.(person) ??
  route.path
    .replace('{namespace}', namespace)
    .replace('{user}', idOf('viewer'))
    .replace('{run}', RUN)
    .replace('{name}', route.path.includes('/pipelines/') ? 'web' : 'COLOR')

const ranks: ReadonlyArray<Audience> = ['viewer', 'member', 'owner']

/** Written down apart from the server: what a person of that kind gets. */
const expected = (person: Person, route: ApiRoute): number => {
  const { may, method, path, status } = route
  if (may === 'anyone') return status
  if (person === 'expired' || person === 'disabled') return 401
  if (may === 'holder') return status
  const isOfNamespace = path.includes('{namespace}') && !isOfPreview(route)
  if (person === 'reader' && method !== 'GET') return 403
  if (person === 'guest' && !isOfNamespace) return 403
  if (person === 'elsewhere') return 403
  if (may === 'user') return status
  if (may === 'admin') return person === 'admin' ? status : 403
  const role = roleOf(person)
  if (role === undefined) return 404
  return ranks.indexOf(role) >= ranks.indexOf(may) ? status : 403
}

const ids = Object.keys(routes).filter((id): id is RouteId => Object.hasOwn(routes, id))
const writes = new Set(['create', 'patch', 'update', 'delete'])

for (const id of ids) {
  const route: ApiRoute = routes[id]
  const { body } = requests[id]
  const sending = body === undefined ? {} : { body }

  for (const person of persons) {
    test(`${id} as ${person}`, async () => {
      const { cluster, failures, send } = filledPlatform()
      cluster.put(approvalObject(codeKeyOf(seed), approval))
      const answer = await send(route.method, pathIn(route, id, person), { as: person, ...sending })
      const asked = { ...route, may: requests[id].may ?? route.may }
      assert.is(answer.status, expected(person, asked), await answer.text())
      assert.equal(failures, [])
      const written = cluster.asked().filter(({ verb }) => writes.has(verb))
      if (answer.status >= 400) assert.equal(written, [])
    })
  }

  if (route.may !== 'anyone') {
    test(`${id} without a token, and with an invalid one`, async () => {
      const { cluster, send } = testPlatform()
      const path = pathIn(route, id, 'owner')
      for (const authorization of [
        undefined,
        'Bearer',
        'Bearer dvt_x',
        'Basic b3duZXI6',
        `Bearer ${'x'.repeat(5000)}`,
      ]) {
        const headers = authorization === undefined ? {} : { authorization }
        assert.is((await send(route.method, path, { headers, ...sending })).status, 401)
      }
      // Nothing was even looked up.
      assert.equal(cluster.asked(), [])
    })
  }

  if (route.path.includes('{namespace}')) {
    test(`${id} has the same response for a namespace of others, one outside the platform, and a missing one`, async () => {
      const { send } = testPlatform()
      const texts = ['foreign', 'kube-system', 'absent'].map(async (namespace) => {
        const answer = await send(route.method, pathIn(route, id, 'owner', namespace), { as: 'owner', ...sending })
        return `${answer.status} ${(await answer.text()).replaceAll(namespace, 'NAMESPACE')}`
      })
      const [first, ...others] = await Promise.all(texts)
      assert.match(first ?? '', /^404 /)
      for (const other of others) assert.is(other, first)
    })
  }
}

test('the token of another user has the same response as a missing one', async () => {
  const { send } = testPlatform()
  const [foreign, absent] = await Promise.all(
    [tokenIdOf('member'), '0'.repeat(12)].map(async (id) => {
      const answer = await send('DELETE', `/api/v1/tokens/${id}`, { as: 'owner' })
      return `${answer.status} ${(await answer.text()).replaceAll(id, 'ID')}`
    }),
  )
  assert.match(foreign ?? '', /^404 /)
  assert.is(foreign, absent)
})

test.run()
