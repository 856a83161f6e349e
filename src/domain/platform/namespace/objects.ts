/**
 * A namespace of the platform and its initial objects: access, quota, and network policies. Every object has the label
 * that only the platform may change.
 */
import type { JsonObject } from '../../cluster/json.ts'
import { apiVersionOf, type KnownKind, resources } from '../../cluster/resources.ts'
import {
  CREATING_ANNOTATION,
  EMAIL_ANNOTATION,
  KIND_LABEL,
  MANAGED_LABEL,
  OWNER_LABEL,
  PLATFORM_LABEL,
} from '../../k8s/labels.ts'
import type { ManagedKind } from '../access.ts'
import type { PlatformUser } from '../account.ts'
import { BUILDER_NAMESPACE, USERS_NAMESPACE } from '../names.ts'
import { clusterRoleOf, type NamespaceRole } from '../role.ts'
import { RUNNER_ACCOUNT } from '../run/request.ts'

/** Marked as incomplete until its objects exist. */
export const namespaceObject = (name: string, kind: ManagedKind, owner: string): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: {
    name,
    annotations: { [CREATING_ANNOTATION]: 'true' },
    labels: {
      [MANAGED_LABEL]: 'true',
      [KIND_LABEL]: kind,
      [OWNER_LABEL]: owner,
      'pod-security.kubernetes.io/enforce': 'baseline',
      // For the log of the API server: a warning for each object would be shown to every developer.
      'pod-security.kubernetes.io/audit': 'restricted',
    },
  },
})

/** The change that marks it as complete. */
export const completedObject = (uid: string): JsonObject => ({
  metadata: { uid, annotations: { [CREATING_ANNOTATION]: null } },
})

/**
 * A RoleBinding per role, since the role of a RoleBinding cannot be changed: the new one is created before the old one
 * is deleted.
 */
export const bindingNameOf = (user: string, role: NamespaceRole): string => `devtool-${user}-${role}`

export const bindingObject = (
  namespace: string,
  { email, id }: Pick<PlatformUser, 'id' | 'email'>,
  role: NamespaceRole,
): JsonObject => ({
  apiVersion: apiVersionOf(resources.RoleBinding),
  kind: 'RoleBinding',
  metadata: {
    name: bindingNameOf(id, role),
    namespace,
    labels: { [PLATFORM_LABEL]: 'access' },
    annotations: { [EMAIL_ANNOTATION]: email },
  },
  roleRef: { apiGroup: resources.RoleBinding.group, kind: 'ClusterRole', name: clusterRoleOf(role) },
  subjects: [{ kind: 'ServiceAccount', name: id, namespace: USERS_NAMESPACE }],
})

type TemplateKind = Extract<
  KnownKind,
  'ResourceQuota' | 'LimitRange' | 'NetworkPolicy' | 'ServiceAccount' | 'RoleBinding'
>

const NAME = 'devtool'

const template = (namespace: string, kind: TemplateKind, more: JsonObject, name = NAME) => ({
  kind,
  name,
  object: {
    apiVersion: apiVersionOf(resources[kind]),
    kind,
    metadata: { name, namespace, labels: { [PLATFORM_LABEL]: 'template' } },
    ...more,
  } satisfies JsonObject,
})

/** Runs have the permissions of members, so starting one gives a member nothing more. */
const runner = (namespace: string) => {
  const subjects = [{ kind: 'ServiceAccount', name: RUNNER_ACCOUNT, namespace }]
  const roleRef = { apiGroup: resources.RoleBinding.group, kind: 'ClusterRole', name: clusterRoleOf('member') }
  return [
    template(namespace, 'ServiceAccount', { automountServiceAccountToken: false }, RUNNER_ACCOUNT),
    template(namespace, 'RoleBinding', { roleRef, subjects }, RUNNER_ACCOUNT),
  ]
}

/** Nothing is exposed outside of the cluster except through an Ingress. */
const quota = {
  hard: {
    pods: '100',
    'requests.cpu': '20',
    'requests.memory': '40Gi',
    'requests.storage': '200Gi',
    persistentvolumeclaims: '50',
    'services.nodeports': '0',
    'services.loadbalancers': '0',
  },
}

/** Defaults for containers without requests, which a quota would otherwise refuse. */
const limits = {
  limits: [{ type: 'Container', default: { memory: '1Gi' }, defaultRequest: { cpu: '50m', memory: '128Mi' } }],
}

/** Link-local addresses, where nodes and clouds serve credentials and metadata to anybody who can reach them. */
const linkLocal = ['169.254.0.0/16', 'fe80::/10', 'fd00:ec2::/32']

/** All other addresses outside of the cluster. */
export const outside: ReadonlyArray<{
  readonly ipBlock: { readonly cidr: string; readonly except: ReadonlyArray<string> }
}> = [
  { ipBlock: { cidr: '0.0.0.0/0', except: linkLocal.filter((block) => block.includes('.')) } },
  { ipBlock: { cidr: '::/0', except: linkLocal.filter((block) => block.includes('::')) } },
]

/** The steps of builds run whatever somebody wrote into a Dockerfile. */
export const notFromBuilds = {
  key: 'kubernetes.io/metadata.name',
  operator: 'NotIn',
  values: [BUILDER_NAMESPACE],
} as const

/**
 * Pods accept connections from their own namespace and from namespaces that are not of tenants: an Ingress controller
 * is in one of those.
 */
const network = {
  podSelector: {},
  policyTypes: ['Ingress', 'Egress'],
  ingress: [
    { from: [{ podSelector: {} }] },
    {
      from: [
        { namespaceSelector: { matchExpressions: [{ key: MANAGED_LABEL, operator: 'DoesNotExist' }, notFromBuilds] } },
      ],
    },
  ],
  egress: [
    { to: [{ podSelector: {} }] },
    { to: [{ namespaceSelector: { matchExpressions: [{ key: MANAGED_LABEL, operator: 'DoesNotExist' }] } }] },
    { to: outside },
  ],
}

export const templateOf = (namespace: string) => [
  template(namespace, 'ResourceQuota', { spec: quota }),
  template(namespace, 'LimitRange', { spec: limits }),
  template(namespace, 'NetworkPolicy', { spec: network }),
  ...runner(namespace),
]
