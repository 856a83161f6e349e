/**
 * The permissions of the platform's programs, and those of the roles of a namespace. No rule has a wildcard, and none
 * allows a program to grant more than intended: it can bind users to the three roles of a namespace and to no other.
 * RBAC cannot confine that to some namespaces; the policy `devtool-confine` does.
 */
import { MANAGED_BY_LABEL, PLATFORM_LABEL, SLEEP_NAME } from '../../k8s/labels.ts'
import { SCOPED_NAMESPACE, SYSTEM_NAMESPACE, USERS_NAMESPACE } from '../names.ts'
import { clusterRoleOf, type NamespaceRole } from '../role.ts'
import { VARIABLES_SECRET } from '../variables.ts'
import type { ClusterRole, ClusterRoleBinding, RbacRule, Role, RoleBinding, ServiceAccount } from './types.ts'

export const API_ACCOUNT = 'devtool-api'
export const CONTROLLER_ACCOUNT = 'devtool-controller'
type Account = typeof API_ACCOUNT | typeof CONTROLLER_ACCOUNT

export const RBAC_GROUP = 'rbac.authorization.k8s.io'
export const RBAC_VERSION = `${RBAC_GROUP}/v1` as const

/** On every object of an installation other than its workloads. */
export const systemLabels = { [MANAGED_BY_LABEL]: 'devtool', [PLATFORM_LABEL]: 'system' } as const

const rule = (group: string, resources: ReadonlyArray<string>, verbs: ReadonlyArray<string>): RbacRule => ({
  apiGroups: [group],
  resources,
  verbs,
})

const look = ['get', 'list', 'watch'] as const
const all = [...look, 'create', 'update', 'patch', 'delete'] as const

/**
 * The cluster's own `admin`, `edit` and `view`, with what extensions add to them. Their rules are filled in by the
 * cluster.
 */
const namespaceRole = (role: NamespaceRole, aggregated: ReadonlyArray<'admin' | 'edit' | 'view'>): ClusterRole => ({
  apiVersion: RBAC_VERSION,
  kind: 'ClusterRole',
  metadata: { name: clusterRoleOf(role), labels: systemLabels },
  aggregationRule: {
    clusterRoleSelectors: aggregated.map((to) => ({ matchLabels: { [`${RBAC_GROUP}/aggregate-to-${to}`]: 'true' } })),
  },
})

export const namespaceRoles: ReadonlyArray<ClusterRole> = [
  namespaceRole('owner', ['admin', 'edit']),
  namespaceRole('member', ['admin', 'edit']),
  namespaceRole('viewer', ['view']),
]

/** Permissions in the namespaces of all tenants, and on the namespaces themselves. */
const everywhere: Readonly<Record<Account, ReadonlyArray<RbacRule>>> = {
  [API_ACCOUNT]: [
    rule('', ['namespaces'], [...look, 'create', 'patch', 'delete']),
    rule(RBAC_GROUP, ['rolebindings'], [...look, 'create', 'patch', 'delete']),
    {
      ...rule(RBAC_GROUP, ['clusterroles'], ['bind']),
      resourceNames: namespaceRoles.map(({ metadata: { name } }) => name),
    },
    rule('', ['resourcequotas', 'limitranges'], ['create', 'patch', 'delete']),
    // For runs, in namespaces of the platform.
    rule('', ['serviceaccounts'], ['create', 'patch']),
    rule('networking.k8s.io', ['networkpolicies'], ['create', 'patch', 'delete']),
    // Which namespaces sleep.
    { ...rule('', ['configmaps'], ['list', 'watch']), resourceNames: [SLEEP_NAME] },
  ],
  [CONTROLLER_ACCOUNT]: [
    rule('', ['namespaces'], [...look, 'patch', 'delete']),
    rule(RBAC_GROUP, ['rolebindings'], [...look, 'delete']),
    // Destroy runs of namespaces that are being deleted, with the permissions of these namespaces.
    rule('batch', ['jobs'], all),
    rule('', ['configmaps'], [...look, 'create', 'patch', 'delete']),
    // The variables of these runs.
    rule('', ['secrets'], ['create']),
    rule('', ['pods'], ['get', 'list']),
    // The end of the log of a run whose program could not write it.
    rule('', ['pods/log'], ['get']),
    // Why the pod of a run is not made, or not started.
    rule('', ['events'], ['list']),
    // Idle namespaces are stopped; the policies allow no change of what runs in them.
    rule('apps', ['deployments', 'statefulsets', 'daemonsets'], ['get', 'list', 'patch']),
    rule('batch', ['cronjobs'], ['get', 'list', 'patch']),
    rule('keda.sh', ['scaledobjects'], ['get', 'list', 'patch']),
    // That happens under a lock of its own, and not while somebody holds the lock of an environment.
    rule('coordination.k8s.io', ['leases'], ['list', 'create']),
    { ...rule('coordination.k8s.io', ['leases'], ['get', 'update', 'delete']), resourceNames: [SLEEP_NAME] },
  ],
}

const inSystem: Readonly<Record<Account, ReadonlyArray<RbacRule>>> = {
  [API_ACCOUNT]: [rule('', ['secrets', 'configmaps'], all), rule('coordination.k8s.io', ['leases'], all)],
  [CONTROLLER_ACCOUNT]: [
    rule('coordination.k8s.io', ['leases'], all),
    { ...rule('', ['secrets'], ['get']), resourceNames: [VARIABLES_SECRET] },
  ],
}

/** The server acts as its users: impersonation of ServiceAccounts of one namespace, and of nobody else. */
const inUsers: Readonly<Record<Account, ReadonlyArray<RbacRule>>> = {
  [API_ACCOUNT]: [
    rule('', ['serviceaccounts'], [...all, 'impersonate']),
    rule('', ['serviceaccounts/token'], ['create']),
    rule('', ['secrets'], all),
  ],
  [CONTROLLER_ACCOUNT]: [rule('', ['serviceaccounts'], look), rule('', ['secrets'], [...look, 'delete'])],
}

/** Nobody acts as the accounts of tokens but whoever has their tokens. */
const inScoped: Readonly<Record<Account, ReadonlyArray<RbacRule>>> = {
  [API_ACCOUNT]: [
    rule('', ['serviceaccounts'], ['get', 'create', 'delete']),
    rule('', ['serviceaccounts/token'], ['create']),
  ],
  [CONTROLLER_ACCOUNT]: [rule('', ['serviceaccounts'], [...look, 'delete'])],
}

const role = (namespace: string, name: Account, rules: ReadonlyArray<RbacRule>): ReadonlyArray<Role | RoleBinding> => [
  { apiVersion: RBAC_VERSION, kind: 'Role', metadata: { name, namespace, labels: systemLabels }, rules },
  {
    apiVersion: RBAC_VERSION,
    kind: 'RoleBinding',
    metadata: { name, namespace, labels: systemLabels },
    roleRef: { apiGroup: RBAC_GROUP, kind: 'Role', name },
    subjects: [{ kind: 'ServiceAccount', name, namespace: SYSTEM_NAMESPACE }],
  },
]

type Granting = ServiceAccount | Role | RoleBinding | ClusterRole | ClusterRoleBinding

const rightsOf = (name: Account): ReadonlyArray<Granting> => [
  {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name, namespace: SYSTEM_NAMESPACE, labels: systemLabels },
    automountServiceAccountToken: false,
  },
  { apiVersion: RBAC_VERSION, kind: 'ClusterRole', metadata: { name, labels: systemLabels }, rules: everywhere[name] },
  {
    apiVersion: RBAC_VERSION,
    kind: 'ClusterRoleBinding',
    metadata: { name, labels: systemLabels },
    roleRef: { apiGroup: RBAC_GROUP, kind: 'ClusterRole', name },
    subjects: [{ kind: 'ServiceAccount', name, namespace: SYSTEM_NAMESPACE }],
  },
  ...role(SYSTEM_NAMESPACE, name, inSystem[name]),
  ...role(USERS_NAMESPACE, name, inUsers[name]),
  ...role(SCOPED_NAMESPACE, name, inScoped[name]),
]

export const rights: ReadonlyArray<Granting> = [
  ...namespaceRoles,
  ...rightsOf(API_ACCOUNT),
  ...rightsOf(CONTROLLER_ACCOUNT),
]
