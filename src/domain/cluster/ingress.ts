import { listAt, textAt } from './json.ts'
import type { ClusterObject } from './live.ts'

/** Controllers write the address at which they serve an Ingress into its status. */
export const hasAddress = (ingress: ClusterObject): boolean =>
  listAt(ingress, 'status', 'loadBalancer', 'ingress').length > 0

export const ingressClassOf = (ingress: ClusterObject): string | undefined =>
  textAt(ingress, 'spec', 'ingressClassName')
