/** The routes that the pages call. The API's own table has codecs, which the pages do not need. */
import type { AnswerOf, InputOf } from '../../domain/platform/api/route.ts'
import type { RouteId, routes } from '../../domain/platform/api/routes.ts'

export const called = {
  meta: 'GET /api/v1/meta',
  me: 'GET /api/v1/me',
  listTokens: 'GET /api/v1/tokens',
  createToken: 'POST /api/v1/tokens',
  deleteToken: 'DELETE /api/v1/tokens/{id}',
  listNamespaces: 'GET /api/v1/namespaces',
  createNamespace: 'POST /api/v1/namespaces',
  getNamespace: 'GET /api/v1/namespaces/{namespace}',
  deleteNamespace: 'DELETE /api/v1/namespaces/{namespace}',
  listMembers: 'GET /api/v1/namespaces/{namespace}/members',
  setMember: 'PUT /api/v1/namespaces/{namespace}/members/{user}',
  removeMember: 'DELETE /api/v1/namespaces/{namespace}/members/{user}',
  sleepNamespace: 'POST /api/v1/namespaces/{namespace}/sleep',
  wakeNamespace: 'POST /api/v1/namespaces/{namespace}/wake',
  listServices: 'GET /api/v1/namespaces/{namespace}/services',
  listVariables: 'GET /api/v1/namespaces/{namespace}/variables',
  setVariable: 'PUT /api/v1/namespaces/{namespace}/variables/{name}',
  unsetVariable: 'DELETE /api/v1/namespaces/{namespace}/variables/{name}',
  listRuns: 'GET /api/v1/namespaces/{namespace}/runs',
  getRun: 'GET /api/v1/namespaces/{namespace}/runs/{run}',
  cancelRun: 'POST /api/v1/namespaces/{namespace}/runs/{run}/cancel',
  followRun: 'GET /api/v1/namespaces/{namespace}/runs/{run}/log',
  getPreview: 'GET /api/v1/previews/{namespace}',
  destroyPreview: 'DELETE /api/v1/previews/{namespace}',
  listPreviews: 'GET /api/v1/previews',
  listSharedVariables: 'GET /api/v1/variables',
  setSharedVariable: 'PUT /api/v1/variables/{name}',
  unsetSharedVariable: 'DELETE /api/v1/variables/{name}',
  listUsers: 'GET /api/v1/users',
  setUser: 'PUT /api/v1/users/{user}',
  listAllNamespaces: 'GET /api/v1/admin/namespaces',
  readSettings: 'GET /api/v1/admin/settings',
  deleteUser: 'DELETE /api/v1/users/{user}',
} as const satisfies Partial<Record<RouteId, string>>
export type CalledRoute = keyof typeof called

type Routes = typeof routes
type Given = Readonly<Record<string, string | number | undefined>>

export type CallInput<K extends CalledRoute> = {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Given
  readonly body?: InputOf<Routes[K]>['body']
}
export type CallAnswer<K extends CalledRoute> = AnswerOf<Routes[K]>

/** The method, and the address with its query. */
export const addressOf = (
  route: CalledRoute,
  params: Readonly<Record<string, string>> = {},
  query: Given = {},
): readonly [method: string, path: string] => {
  const [method = '', pattern = ''] = called[route].split(' ')
  const path = pattern.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const given = Object.entries(query).flatMap(
    ([name, value]): ReadonlyArray<[string, string]> =>
      value === undefined || value === '' ? [] : [[name, String(value)]],
  )
  const search = new URLSearchParams(given).toString()
  return [method, search === '' ? path : `${path}?${search}`]
}
