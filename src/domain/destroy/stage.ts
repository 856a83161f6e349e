/** In which order things go, and what Kubernetes is to do with their dependents. */
import type { Resource } from '../cluster/resources.ts'
import { type FoundObjects, isClaim, recordOf } from './found.ts'
import { releaseOf } from './releases.ts'

/**
 * Workloads: whatever may run pods, kinds of others among it. Volumes are deleted when no pod uses them. Releases: what
 * Helm knows of a release. Record: what we know of the environment.
 */
export const stages = ['Workloads', 'Network', 'Configuration', 'Volumes', 'Releases', 'Record'] as const
export type Stage = (typeof stages)[number]

const network: ReadonlySet<string> = new Set(['services', 'ingresses', 'endpointslices', 'networkpolicies'])

const configuration: ReadonlySet<string> = new Set([
  'configmaps',
  'secrets',
  'serviceaccounts',
  'roles',
  'rolebindings',
  'resourcequotas',
  'limitranges',
])

const stageOfKind = ({ plural }: Resource): Stage => {
  if (network.has(plural)) return 'Network'
  return configuration.has(plural) ? 'Configuration' : 'Workloads'
}

export const stageOf = (found: FoundObjects): Stage => {
  if (recordOf(found) !== undefined) return 'Record'
  if (isClaim(found)) return 'Volumes'
  return releaseOf(found) === undefined ? stageOfKind(found.resource) : 'Releases'
}

/** A workload stays until its pods are gone, so that its absence means theirs, even to a later run. */
export const propagationOf = (stage: Stage, { plural }: Resource): 'Foreground' | 'Background' =>
  stage === 'Workloads' && plural !== 'pods' ? 'Foreground' : 'Background'
