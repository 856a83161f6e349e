/** The order in which objects are deleted, and what Kubernetes does with their dependents. */
import type { Resource } from '../cluster/resources.ts'
import { type FoundObjects, isClaim, recordOf } from './found.ts'
import { releaseOf } from './releases.ts'

/**
 * Workloads: everything that may run pods, custom resources included. Volumes are deleted once no pod uses them.
 * Releases: Helm's release Secrets. Record: what we keep about the environment.
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

/**
 * A workload is deleted in the foreground, so it exists until its pods are gone: its absence proves theirs, even to a
 * later run.
 */
export const propagationOf = (stage: Stage, { plural }: Resource): 'Foreground' | 'Background' =>
  stage === 'Workloads' && plural !== 'pods' ? 'Foreground' : 'Background'
