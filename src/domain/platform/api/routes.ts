/** All routes of the API. */
import * as t from 'io-ts'
import { keys } from '../../print/document.ts'
import { NamespaceRole } from '../role.ts'
import { adminRoutes } from './admin-routes.ts'
import {
  CreatedToken,
  Credential,
  KubernetesCluster,
  ListedNamespace,
  ListedToken,
  Me,
  Member,
  Meta,
  member,
  namespace,
  next,
  page,
} from './answers.ts'
import { builderRoutes } from './builder-routes.ts'
import { loginRoutes } from './login-routes.ts'
import { previewRoutes } from './preview-routes.ts'
import { route } from './route.ts'
import { runRoutes } from './run-routes.ts'
import { serviceRoutes } from './service-routes.ts'
import { sleepRoutes } from './sleep-routes.ts'
import { userRoutes } from './user-routes.ts'
import { Days, Flag, Line, NamespaceLabel, ScopeText, TokenId } from './values.ts'
import { variableRoutes } from './variable-routes.ts'

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
    may: 'holder',
    about:
      'A token for the Kubernetes API with the permissions of the API token of this request, which ends with it, and after at most an hour',
    status: 201,
    answer: Credential,
  }),
  cluster: route({
    method: 'GET',
    path: '/api/v1/kubernetes/cluster',
    may: 'holder',
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
    about: 'Delete a namespace and everything in it, after the destroy commands of what was deployed there',
    params: keys(namespace),
    query: keys({}, { force: [Flag, 'skip the destroy commands'] }),
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
  ...loginRoutes,
  ...variableRoutes,
  ...runRoutes,
  ...previewRoutes,
  ...userRoutes,
  ...serviceRoutes,
  ...builderRoutes,
  ...adminRoutes,
  ...sleepRoutes,
} as const

export type RouteId = keyof typeof routes
