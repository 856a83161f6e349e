/** Codecs that requests and answers of the API share. */
import * as t from 'io-ts'
import { keys, oneOf } from '../../print/document.ts'
import { failed, sleep } from '../deletion-record.ts'
import { NamespaceRole } from '../role.ts'
import { EmailOrId, Line, NamespaceLabel, PageSize, ScopeText, Timestamp, TokenId, UserId } from './values.ts'

export const Meta = keys(
  {
    version: [t.string, 'version of the platform'],
    oldestClient: [t.string, 'the oldest version of devtool that it works with'],
    domain: [t.string, 'domain of public addresses'],
    registry: [t.string, 'registry of built images, or empty'],
  },
  { releases: [t.string, 'address of a release of devtool, if an administrator has set one'] },
)

export const Me = keys({
  id: [UserId, 'id of the user'],
  email: [t.string, 'e-mail address'],
  isAdmin: [t.boolean, 'whether the user administers the platform'],
  scope: [ScopeText, 'what the token of this request allows'],
  expires: [Timestamp, 'when it ends'],
})

const tokenRows = {
  id: [TokenId, 'id of the token'],
  name: [Line, 'what the user calls it'],
  scope: [ScopeText, 'what it allows'],
  created: [Timestamp, 'when it was created'],
  expires: [Timestamp, 'when it ends'],
} as const
export const ListedToken = keys(tokenRows)
export const CreatedToken = keys({ ...tokenRows, token: [t.string, 'the token, which is never shown again'] })

export const Credential = keys({
  token: [t.string, 'bearer token for the Kubernetes API'],
  expires: [Timestamp, 'when it ends'],
})

export const KubernetesCluster = keys({
  server: [t.string, 'address of the Kubernetes API'],
  authority: [t.string, 'certificates that verify it, as PEM, or empty for those of the system'],
})

export const ListedNamespace = keys(
  {
    name: [NamespaceLabel, 'name of the namespace'],
    kind: [oneOf('namespace', 'preview'), 'what it was created as'],
    status: [oneOf('Active', 'Deleting', 'DeleteFailed'), 'whether it can be used'],
    role: [NamespaceRole, 'what the user may do in it'],
    owner: [UserId, 'who created it'],
    created: [Timestamp, 'when it was created'],
  },
  { ...sleep, ...failed },
)

export const Member = keys({
  user: [t.string, 'id of the user, or `everybody`'],
  email: [t.string, 'e-mail address, or empty'],
  role: [NamespaceRole, 'what the user may do'],
})

export const page = {
  limit: [PageSize, 'how many at most; 50 if not given'],
  continue: [NamespaceLabel, 'where to go on'],
} as const
export const next = { next: [NamespaceLabel, '`continue` of the next page; absent on the last one'] } as const
export const namespace = { namespace: [NamespaceLabel, 'name of the namespace'] } as const
export const member = { ...namespace, user: [EmailOrId, 'id or e-mail address of the user'] } as const
