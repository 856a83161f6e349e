/** What lies in a namespace when an environment is to go, and what of it is never ours to delete. */

import { annotationOf, type ClusterObject, controllerOf, labelOf } from '../cluster/live.ts'
import type { Resource } from '../cluster/resources.ts'
import { recordName } from '../environment/record.ts'
import { ENVIRONMENT_LABEL } from '../k8s/labels.ts'

export type FoundObjects = { readonly resource: Resource; readonly live: ClusterObject }

/** Made and taken away along with other objects, or only about them. */
const unsearched: ReadonlySet<string> = new Set(['events', 'endpoints'])

/** Whether objects of a kind can be anything of an environment. Measurements can be listed, but are no objects. */
export const isSearched = ({ group, isNamespaced, plural }: Resource): boolean =>
  isNamespaced && !unsearched.has(plural) && group !== 'metrics.k8s.io'

export const isClaim = ({ resource: { group, plural } }: Pick<FoundObjects, 'resource'>): boolean =>
  (group === '' && plural === 'persistentvolumeclaims') ||
  (group === 'snapshot.storage.k8s.io' && plural === 'volumesnapshots')

const recordPlurals: ReadonlySet<string> = new Set(['configmaps', 'secrets', 'leases'])

/** The environment whose record, kept variables or lock it is. */
export const recordOf = ({ live, resource }: FoundObjects): string | undefined => {
  const environment = labelOf(live, ENVIRONMENT_LABEL)
  const isOurs = environment !== undefined && live.metadata.name === recordName(environment)
  return isOurs && recordPlurals.has(resource.plural) ? environment : undefined
}

/** In every namespace, without anybody having asked for it. */
const furniture: ReadonlySet<string> = new Set([
  'serviceaccounts/default',
  'configmaps/kube-root-ca.crt',
  'configmaps/openshift-service-ca.crt',
])

/** Kubernetes made it: it goes with what it was made for, or comes back at once. */
export const isOfKubernetes = (found: FoundObjects): boolean => {
  const { live, resource } = found
  if (controllerOf(live) !== undefined) return true
  if (resource.plural === 'leases') return recordOf(found) === undefined
  if (resource.plural === 'secrets' && annotationOf(live, 'kubernetes.io/service-account.name') === 'default')
    return true
  return resource.group === '' && furniture.has(`${resource.plural}/${live.metadata.name}`)
}

const rules: ReadonlySet<string> = new Set(['roles', 'rolebindings', 'resourcequotas', 'limitranges'])

/** What whoever runs the cluster laid down for the namespace; with it we might lose the right to go on. */
export const isRuleOfNamespace = ({ live, resource }: FoundObjects): boolean =>
  rules.has(resource.plural) &&
  labelOf(live, ENVIRONMENT_LABEL) === undefined &&
  annotationOf(live, 'meta.helm.sh/release-name') === undefined
