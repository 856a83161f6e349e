/** What the platform's programs require: their namespaces, their permissions, and who reaches their pods. */
import { MANAGED_LABEL, SERVICE_LABEL } from '../../k8s/labels.ts'
import { SYSTEM_NAMESPACE } from '../names.ts'
import { notFromBuilds } from '../namespace/objects.ts'
import { builderFoundation } from './builder.ts'
import { HEALTH_PORT, HTTP_PORT, type PlatformInstallation } from './installation.ts'
import { scopedNamespace, systemNamespace, usersNamespace } from './namespaces.ts'
import { rights, systemLabels } from './rights.ts'
import type { NetworkPeer, NetworkPolicy, PlatformObject, PodDisruptionBudget } from './types.ts'

const apiPods = { matchLabels: { [SERVICE_LABEL]: 'api' } } as const
const controllerPods = { matchLabels: { [SERVICE_LABEL]: 'controller' } } as const
const metadata = { name: 'api', namespace: SYSTEM_NAMESPACE, labels: systemLabels }

const budgetOf = (name: string, selector: typeof apiPods | typeof controllerPods): PodDisruptionBudget => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { ...metadata, name },
  spec: { minAvailable: 1, selector },
})

/** No other connections into the namespace. */
const isolated: NetworkPolicy = {
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { ...metadata, name: 'isolated' },
  spec: { podSelector: {}, policyTypes: ['Ingress'], ingress: [] },
}

/**
 * Tenants reach the platform through its Ingress, like everybody else: a direct request of theirs could pass for one of
 * the platform's proxies.
 */
const outsideTenants: NetworkPeer = {
  namespaceSelector: { matchExpressions: [{ key: MANAGED_LABEL, operator: 'DoesNotExist' }, notFromBuilds] },
}

/** Proxies on the host network have the addresses of their nodes, which no policy can select by namespace. */
const reachedFrom = (proxies: ReadonlyArray<string>): NetworkPolicy => ({
  ...isolated,
  metadata,
  spec: {
    ...isolated.spec,
    podSelector: apiPods,
    ingress: [
      { from: [outsideTenants, ...proxies.map((cidr) => ({ ipBlock: { cidr } }))], ports: [{ port: HTTP_PORT }] },
      { from: [outsideTenants], ports: [{ port: HEALTH_PORT }] },
    ],
  },
})

/** The controller's port for probes and metrics. */
const watchedController: NetworkPolicy = {
  ...isolated,
  metadata: { ...metadata, name: 'controller' },
  spec: {
    ...isolated.spec,
    podSelector: controllerPods,
    ingress: [{ from: [outsideTenants], ports: [{ port: HEALTH_PORT }] }],
  },
}

export const foundationFor = ({
  builder,
  proxies,
}: Pick<PlatformInstallation, 'builder' | 'proxies'>): ReadonlyArray<PlatformObject> => [
  systemNamespace,
  usersNamespace,
  scopedNamespace,
  ...rights,
  budgetOf('api', apiPods),
  budgetOf('controller', controllerPods),
  isolated,
  reachedFrom(proxies),
  watchedController,
  ...(builder === undefined ? [] : builderFoundation),
]
