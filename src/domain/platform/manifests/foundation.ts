/** What the programs of the platform stand on: their namespaces, their rights, and who reaches their pods. */
import { SERVICE_LABEL } from '../../k8s/labels.ts'
import { SYSTEM_NAMESPACE } from '../names.ts'
import { systemNamespace, usersNamespace } from './namespaces.ts'
import { rights, systemLabels } from './rights.ts'
import type { NetworkPolicy, PlatformObject, PodDisruptionBudget } from './types.ts'

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

const reached: NetworkPolicy = {
  ...isolated,
  metadata,
  spec: { ...isolated.spec, podSelector: apiPods, ingress: [{ ports: [{ port: 8080 }, { port: 9090 }] }] },
}

export const foundation: ReadonlyArray<PlatformObject> = [
  systemNamespace,
  usersNamespace,
  ...rights,
  budget,
  isolated,
  reached,
]
