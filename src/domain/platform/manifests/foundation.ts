/** What the programs of the platform stand on: their namespaces, their rights, and who reaches their pods. */
import { MANAGED_LABEL, SERVICE_LABEL } from '../../k8s/labels.ts'
import { SYSTEM_NAMESPACE } from '../names.ts'
import { notFromBuilds } from '../namespace/objects.ts'
import { builderFoundation } from './builder.ts'
import { HEALTH_PORT, HTTP_PORT, type PlatformInstallation } from './installation.ts'
import { systemNamespace, usersNamespace } from './namespaces.ts'
import { rights, systemLabels } from './rights.ts'
import type { NetworkPeer, NetworkPolicy, PlatformObject, PodDisruptionBudget } from './types.ts'

const apiPods = { matchLabels: { [SERVICE_LABEL]: 'api' } } as const
const metadata = { name: 'api', namespace: SYSTEM_NAMESPACE, labels: systemLabels }

const budget: PodDisruptionBudget = {
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata,
  spec: { minAvailable: 1, selector: apiPods },
}

/** Nothing else in the namespace is reached at all. */
const isolated: NetworkPolicy = {
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { ...metadata, name: 'isolated' },
  spec: { podSelector: {}, policyTypes: ['Ingress'], ingress: [] },
}

/** Tenants reach the platform as everybody does, through its Ingress: requests of theirs would pass for its own. */
const outsideTenants: NetworkPeer = {
  namespaceSelector: { matchExpressions: [{ key: MANAGED_LABEL, operator: 'DoesNotExist' }, notFromBuilds] },
}

/** Proxies on the network of their nodes have the addresses of these, and are in no namespace for a policy. */
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

export const foundationFor = ({
  builder,
  proxies,
}: Pick<PlatformInstallation, 'builder' | 'proxies'>): ReadonlyArray<PlatformObject> => [
  systemNamespace,
  usersNamespace,
  ...rights,
  budget,
  isolated,
  reachedFrom(proxies),
  ...(builder === undefined ? [] : builderFoundation),
]
