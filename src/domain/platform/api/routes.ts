/** All routes of the API. */
import * as t from 'io-ts'
import { keys, oneOf } from '../../print/document.ts'
import { NamespaceRole } from '../role.ts'
import { route } from './route.ts'
import { Days, EmailOrId, Line, NamespaceLabel, PageSize, ScopeText, Timestamp, TokenId, UserId } from './values.ts'

const Meta = keys({
  version: [t.string, 'version of the platform'],
  oldestClient: [t.string, 'the oldest version of devtool that it works with'],
  domain: [t.string, 'domain of public addresses'],
  registry: [t.string, 'registry of built images, or empty'],
})

const Me = keys({
  id: [UserId, 'id of the user'],
  email: [t.string, 'e-mail address'],
  isAdmin: [t.boolean, 'whether the user administers the platform'],
  scope: [ScopeText, 'what the token of this request allows'],
})

const tokenRows = {
  id: [TokenId, 'id of the token'],
  name: [Line, 'what the user calls it'],
  scope: [ScopeText, 'what it allows'],
  created: [Timestamp, 'when it was created'],
  expires: [Timestamp, 'when it ends'],
} as const
const ListedToken = keys(tokenRows)
const CreatedToken = keys({ ...tokenRows, token: [t.string, 'the token, which is never shown again'] })

const Credential = keys({
  token: [t.string, 'bearer token for the Kubernetes API'],
  expires: [Timestamp, 'when it ends'],
})

const KubernetesCluster = keys({
  server: [t.string, 'address of the Kubernetes API'],
  authority: [t.string, 'certificates that verify it, as PEM, or empty for those of the system'],
})

const ListedNamespace = keys({
  name: [NamespaceLabel, 'name of the namespace'],
  kind: [oneOf('namespace', 'preview'), 'what it was created as'],
  status: [oneOf('Active', 'Deleting'), 'whether it can be used'],
  role: [NamespaceRole, 'what the user may do in it'],
  owner: [UserId, 'who created it'],
  created: [Timestamp, 'when it was created'],
})

const Member = keys({
  user: [t.string, 'id of the user, or `everybody`'],
  email: [t.string, 'e-mail address, or empty'],
  role: [NamespaceRole, 'what the user may do'],
})

const page = {
  limit: [PageSize, 'how many at most; 50 if not given'],
  continue: [NamespaceLabel, 'where to go on'],
} as const
const next = { next: [NamespaceLabel, '`continue` of the next page; absent on the last one'] } as const
const namespace = { namespace: [NamespaceLabel, 'name of the namespace'] } as const
const member = { ...namespace, user: [EmailOrId, 'id or e-mail address of the user'] } as const

export const routes = {
  meta: route({
    method: 'GET',
    path: '/api/v1/meta',
    may: 'anyone',
    about: 'What the platform is',
    answer: Meta,
  }),
  me: route({ method: 'GET', path: '/api/v1/me', may: 'holder', about: 'Who the caller is', answer: Me }),
  listTokens: route({
    method: 'GET',
    path: '/api/v1/tokens',
    may: 'user',
    about: 'The API tokens of the caller',
    answer: keys({ tokens: [t.readonlyArray(ListedToken), 'by creation'] }),
  }),
  createToken: route({
    method: 'POST',
    path: '/api/v1/tokens',
    may: 'user',
    about: 'Create an API token',
    body: keys(
      { name: [Line, 'what the user calls it'] },
      { scope: [ScopeText, 'what it allows; `all` if not given'], days: [Days, 'how long; 180 if not given'] },
    ),
    status: 201,
    answer: CreatedToken,
  }),
  deleteToken: route({
    method: 'DELETE',
    path: '/api/v1/tokens/{id}',
    may: 'user',
    about: 'Revoke an API token',
    params: keys({ id: [TokenId, 'id of the token'] }),
  }),
  createCredential: route({
    method: 'POST',
    path: '/api/v1/kubernetes/token',
    may: 'user',
    about: 'A token for the Kubernetes API, which ends with the API token of this request, and after an hour',
    status: 201,
    answer: Credential,
  }),
  cluster: route({
    method: 'GET',
    path: '/api/v1/kubernetes/cluster',
    may: 'user',
    about: 'Where the Kubernetes API is',
    answer: KubernetesCluster,
  }),
  listNamespaces: route({
    method: 'GET',
    path: '/api/v1/namespaces',
    may: 'user',
    about: 'The namespaces of the caller',
    query: keys({}, { ...page, q: [Line, 'only names that contain this'] }),
    answer: keys({ namespaces: [t.readonlyArray(ListedNamespace), 'by name'] }, next),
  }),
  createNamespace: route({
    method: 'POST',
    path: '/api/v1/namespaces',
    may: 'user',
    about: 'Create a namespace, whose owner is the caller',
    body: keys({ name: [NamespaceLabel, 'its name'] }),
    status: 201,
    answer: ListedNamespace,
  }),
  getNamespace: route({
    method: 'GET',
    path: '/api/v1/namespaces/{namespace}',
    may: 'viewer',
    about: 'One namespace',
    params: keys(namespace),
    answer: ListedNamespace,
  }),
  deleteNamespace: route({
    method: 'DELETE',
    path: '/api/v1/namespaces/{namespace}',
    may: 'owner',
    about: 'Delete a namespace and everything in it',
    params: keys(namespace),
    status: 202,
    answer: ListedNamespace,
  }),
  listMembers: route({
    method: 'GET',
    path: '/api/v1/namespaces/{namespace}/members',
    may: 'viewer',
    about: 'Who has access to a namespace',
    params: keys(namespace),
    answer: keys({ members: [t.readonlyArray(Member), 'by id'] }),
  }),
  setMember: route({
    method: 'PUT',
    path: '/api/v1/namespaces/{namespace}/members/{user}',
    may: 'owner',
    about: 'Give a user a role in a namespace, instead of the one they have',
    params: keys(member),
    body: keys({ role: [NamespaceRole, 'what the user may do'] }),
    answer: Member,
  }),
  removeMember: route({
    method: 'DELETE',
    path: '/api/v1/namespaces/{namespace}/members/{user}',
    may: 'owner',
    about: 'Take away the role of a user in a namespace',
    params: keys(member),
  }),
} as const

export type RouteId = keyof typeof routes
