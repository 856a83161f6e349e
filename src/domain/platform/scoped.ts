/**
 * The Kubernetes accounts of API tokens with a scope, and the RoleBindings that give them what the scope leaves of the
 * roles of their users. A token of the scope `all` needs neither: it acts as its user.
 */
import { type JsonObject, listAt, textAt } from '../cluster/json.ts'
import type { ClusterObject } from '../cluster/live.ts'
import { apiVersionOf, resources } from '../cluster/resources.ts'
import { OWNER_LABEL, PLATFORM_LABEL } from '../k8s/labels.ts'
import type { TokenRecord } from './account.ts'
import { SCOPED_NAMESPACE, scopedNameOf } from './names.ts'
import { clusterRoleOf, type NamespaceRole, roleOf } from './role.ts'

/** On the accounts and the RoleBindings. */
const labelsOf = (user: string) => ({ [PLATFORM_LABEL]: 'scoped', [OWNER_LABEL]: user })
export const SCOPED_SELECTOR = `${PLATFORM_LABEL}=scoped`
/** Selects the RoleBindings for the tokens of a user. */
export const scopedSelectorOf = (user: string): string => `${SCOPED_SELECTOR},${OWNER_LABEL}=${user}`

/** `token`: the id. */
export type ScopedGrant = {
  readonly namespace: string
  readonly user: string
  readonly token: string
  readonly role: NamespaceRole
  readonly binding: { readonly name: string; readonly uid: string }
}

type ScopedToken = Pick<TokenRecord, 'id' | 'user'>

export const scopedAccountObject = ({ id, user }: ScopedToken): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: { name: scopedNameOf(user, id), namespace: SCOPED_NAMESPACE, labels: labelsOf(user) },
})

/** The role is part of the name, since the role of a RoleBinding cannot be changed. */
export const scopedBindingObject = ({ id, user }: ScopedToken, namespace: string, role: NamespaceRole): JsonObject => ({
  apiVersion: apiVersionOf(resources.RoleBinding),
  kind: 'RoleBinding',
  metadata: { name: scopedBindingNameOf({ id, user }, role), namespace, labels: labelsOf(user) },
  roleRef: { apiGroup: resources.RoleBinding.group, kind: 'ClusterRole', name: clusterRoleOf(role) },
  subjects: [{ kind: 'ServiceAccount', name: scopedNameOf(user, id), namespace: SCOPED_NAMESPACE }],
})

export const scopedBindingNameOf = ({ id, user }: ScopedToken, role: NamespaceRole): string =>
  `devtool-${scopedNameOf(user, id)}-${role}`

/** Law: reads `scopedNameOf`, and nothing else. */
export const scopedTokenIn = (account: string): ScopedToken | undefined => {
  const [, user, id] = /^(u-[0-9a-f]{32})-([0-9a-z]{12})$/.exec(account) ?? []
  return user === undefined || id === undefined ? undefined : { user, id }
}

/** `undefined` for a RoleBinding that is not for an API token. */
export const scopedGrantIn = (binding: ClusterObject): ScopedGrant | undefined => {
  const [subject, ...others] = listAt(binding, 'subjects')
  const { name, namespace, uid } = binding.metadata
  const isAccount = textAt(subject, 'kind') === 'ServiceAccount' && textAt(subject, 'namespace') === SCOPED_NAMESPACE
  const token = isAccount && others.length === 0 ? scopedTokenIn(textAt(subject, 'name') ?? '') : undefined
  const role =
    textAt(binding, 'roleRef', 'kind') === 'ClusterRole' ? roleOf(textAt(binding, 'roleRef', 'name') ?? '') : undefined
  return token === undefined || role === undefined || namespace === undefined
    ? undefined
    : { namespace, user: token.user, token: token.id, role, binding: { name, uid } }
}
