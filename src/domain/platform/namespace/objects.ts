/**
 * A namespace of the platform and what is in it from the beginning: who may use it, how much, and who may connect.
 * Everything has the label that only the platform may change.
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
import { USERS_NAMESPACE } from '../names.ts'
import { clusterRoleOf, type NamespaceRole } from '../role.ts'
import { RUNNER_ACCOUNT } from '../run/request.ts'

/** It is not complete before what belongs in it is there. */
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
      'pod-security.kubernetes.io/warn': 'restricted',
    },
  },
})

/** What is changed when everything is in it. */
export const completedObject = (uid: string): JsonObject => ({
  metadata: { uid, annotations: { [CREATING_ANNOTATION]: null } },
})

/** One for each role, so that a new role is granted before the old one is taken away: a RoleBinding cannot change its. */
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

/** Runs may do what members may do: whoever starts one could do it without. */
const runner = (namespace: string) => {
  const subjects = [{ kind: 'ServiceAccount', name: RUNNER_ACCOUNT, namespace }]
  const roleRef = { apiGroup: resources.RoleBinding.group, kind: 'ClusterRole', name: clusterRoleOf('member') }
  return [
    template(namespace, 'ServiceAccount', { automountServiceAccountToken: false }, RUNNER_ACCOUNT),
    template(namespace, 'RoleBinding', { roleRef, subjects }, RUNNER_ACCOUNT),
  ]
}

/** Nothing may be reached from outside of the cluster but through an Ingress. */
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

/** What containers ask for that ask for nothing: a quota admits no others. */
const limits = {
  limits: [{ type: 'Container', default: { memory: '1Gi' }, defaultRequest: { cpu: '50m', memory: '128Mi' } }],
}

/** Where nodes and clouds answer to everybody who reaches them. */
const linkLocal = ['169.254.0.0/16', 'fe80::/10', 'fd00:ec2::/32']

/**
 * Pods are reached from their own namespace and from outside of the cluster's other tenants: an Ingress controller is in
 * a namespace that is not the platform's.
 */
const network = {
  podSelector: {},
  policyTypes: ['Ingress', 'Egress'],
  ingress: [
    { from: [{ podSelector: {} }] },
    { from: [{ namespaceSelector: { matchExpressions: [{ key: MANAGED_LABEL, operator: 'DoesNotExist' }] } }] },
  ],
  egress: [
    { to: [{ podSelector: {} }] },
    { to: [{ namespaceSelector: { matchExpressions: [{ key: MANAGED_LABEL, operator: 'DoesNotExist' }] } }] },
    {
      to: [
        { ipBlock: { cidr: '0.0.0.0/0', except: linkLocal.filter((block) => block.includes('.')) } },
        { ipBlock: { cidr: '::/0', except: linkLocal.filter((block) => block.includes('::')) } },
      ],
    },
  ],
}

export const templateOf = (namespace: string) => [
  template(namespace, 'ResourceQuota', { spec: quota }),
  template(namespace, 'LimitRange', { spec: limits }),
  template(namespace, 'NetworkPolicy', { spec: network }),
  ...runner(namespace),
]
