/**
 * Requests that test the policies in effect: some in a namespace that is not the platform's must succeed, which shows
 * that the policies do no harm, and some in one of the platform's must be refused, which shows that they work.
 */
import type { JsonObject } from '../../cluster/json.ts'
import { apiVersionOf, type KnownKind, type Resource, resources } from '../../cluster/resources.ts'
import { MANAGED_LABEL, NOWHERE_LABEL, PLATFORM_LABEL } from '../../k8s/labels.ts'
import { clusterRoleOf } from '../role.ts'
import { namespaced, policy as policyOf, quoted } from './policy.ts'
import { RBAC_GROUP } from './rights.ts'
import type { AdmissionPolicy } from './types.ts'

const NAME = 'devtool-probe'

const object = (
  kind: KnownKind,
  body: JsonObject,
  metadata: JsonObject = {},
): JsonObject & { readonly kind: string } => ({
  apiVersion: apiVersionOf(resources[kind]),
  kind,
  metadata: { name: NAME, ...metadata },
  ...body,
})

/** On the namespaces of a probe, which are always removed. */
export const PROBE_SELECTOR = `${PLATFORM_LABEL}=probe`

export const probeNamespace = (name: string, isManaged: boolean): JsonObject =>
  object(
    'Namespace',
    {},
    { name, labels: { [PLATFORM_LABEL]: 'probe', ...(isManaged ? { [MANAGED_LABEL]: 'true' } : {}) } },
  )

/** The pod never runs: it is deleted at once, and no node has the label. */
const pod: JsonObject = {
  spec: {
    automountServiceAccountToken: false,
    nodeSelector: { [NOWHERE_LABEL]: 'true' },
    securityContext: { runAsNonRoot: true, runAsUser: 65532, seccompProfile: { type: 'RuntimeDefault' } },
    containers: [
      {
        name: 'main',
        image: 'registry.k8s.io/pause:3.10',
        resources: { requests: { cpu: '1m', memory: '1Mi' }, limits: { cpu: '1m', memory: '8Mi' } },
        securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
      },
    ],
  },
}

const ingress: JsonObject = {
  spec: {
    rules: [
      {
        host: 'probe.devtool.invalid',
        http: {
          paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: NAME, port: { number: 80 } } } }],
        },
      },
    ],
  },
}

export type ProbeKind = 'Service' | 'Pod' | 'Ingress'

/** A Service with a cluster IP: the API server creates further objects for it, outside of any namespace. */
export const harmless: ReadonlyArray<{ readonly kind: ProbeKind; readonly name: string; readonly body: JsonObject }> = [
  { kind: 'Service', name: NAME, body: object('Service', { spec: { ports: [{ port: 80 }] } }) },
  { kind: 'Pod', name: NAME, body: object('Pod', pod) },
  { kind: 'Ingress', name: NAME, body: object('Ingress', ingress) },
]

/**
 * Who sends the request: the administrator, the platform's API server, or a tenant who may do everything in the
 * namespace and nothing outside of it.
 */
type Prober = 'Administrator' | 'Api' | 'Tenant'

/** A request that this policy must refuse. */
export type Denial = {
  readonly policy: string
  readonly who: Prober
  readonly resource: Resource
  readonly body: JsonObject
}

const denial = (policy: string, who: Prober, kind: KnownKind, body: JsonObject, metadata: JsonObject = {}): Denial => ({
  policy,
  who,
  resource: resources[kind],
  body: object(kind, body, metadata),
})

const everybody: JsonObject = { apiGroup: RBAC_GROUP, kind: 'Group', name: 'system:authenticated' }

const bindingTo = (role: string, subject: JsonObject): JsonObject => ({
  roleRef: { apiGroup: RBAC_GROUP, kind: 'ClusterRole', name: role },
  subjects: [subject],
})

const CANARY = `${NAME}-canary`

const denials: ReadonlyArray<Denial> = [
  denial('devtool-canary', 'Administrator', 'ConfigMap', {}, { name: CANARY }),
  denial('devtool-confine', 'Api', 'Namespace', {}, { name: `kube-${NAME}`, labels: { [MANAGED_LABEL]: 'true' } }),
  denial('devtool-confine-access', 'Api', 'RoleBinding', bindingTo(clusterRoleOf('viewer'), everybody), {
    name: `${NAME}-access`,
  }),
  denial('devtool-guard', 'Tenant', 'ConfigMap', {}, { labels: { [PLATFORM_LABEL]: 'probe' } }),
  denial('devtool-edge-ingress', 'Administrator', 'Ingress', ingress),
  denial('devtool-edge-service', 'Administrator', 'Service', {
    spec: { type: 'ExternalName', externalName: 'probe.devtool.invalid' },
  }),
  denial('devtool-edge-egress', 'Tenant', 'NetworkPolicy', {
    spec: { podSelector: {}, policyTypes: ['Egress'], egress: [{}] },
  }),
]

const gateway = (kind: string, plural: string, policy: string, spec: JsonObject): Denial => {
  const resource = { group: 'gateway.networking.k8s.io', version: 'v1', plural, kind, isNamespaced: true }
  const body = { apiVersion: apiVersionOf(resource), kind, metadata: { name: NAME }, spec }
  return { policy, who: 'Tenant', resource, body }
}

/** Kinds that not every cluster has. */
const extensions: ReadonlyArray<Denial> = [
  gateway('HTTPRoute', 'httproutes', 'devtool-edge-route', {}),
  gateway('Gateway', 'gateways', 'devtool-edge-other', {
    gatewayClassName: NAME,
    listeners: [{ name: 'http', port: 80, protocol: 'HTTP' }],
  }),
]

/**
 * Written after all other policies: once the API server enforces it, it has seen their latest versions. `namespace`: a
 * new one for each trial.
 */
export const canaryIn = (namespace: string): AdmissionPolicy =>
  policyOf('canary', {
    matchConstraints: {
      namespaceSelector: { matchLabels: { [PLATFORM_LABEL]: 'probe' } },
      resourceRules: [namespaced('', ['configmaps'], ['CREATE'])],
    },
    validations: [
      {
        expression: `request.namespace != ${quoted(namespace)} || object.metadata.?name.orValue("") != ${quoted(CANARY)}`,
        message: 'the policies of the platform are in effect',
      },
    ],
  })

/** One for each policy of which this cluster serves a kind. */
export const denialsIn = (served: ReadonlyArray<Resource>): ReadonlyArray<Denial> => [
  ...denials,
  ...extensions.filter(({ resource }) =>
    served.some(({ group, plural }) => group === resource.group && plural === resource.plural),
  ),
]

/** An account that does not exist. */
export const tenantIn = (namespace: string): string => `system:serviceaccount:${namespace}:${NAME}`

/** Allows everything in the namespace. */
export const tenantBinding = (namespace: string): JsonObject =>
  object('RoleBinding', bindingTo('cluster-admin', { kind: 'ServiceAccount', name: NAME, namespace }))
