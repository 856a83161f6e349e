/** Classifies what is in a namespace when an environment is destroyed, and what of it must never be deleted. */

import { annotationOf, type ClusterObject, controllerOf, labelOf } from '../cluster/live.ts'
import type { Resource } from '../cluster/resources.ts'
import { recordName } from '../environment/record.ts'
import { ENVIRONMENT_LABEL, KIND_LABEL } from '../k8s/labels.ts'

export type FoundObjects = { readonly resource: Resource; readonly live: ClusterObject }

/** Kinds that are managed along with other objects, or only describe them. */
const unsearched: ReadonlySet<string> = new Set(['events', 'endpoints'])

/** Whether objects of a kind can belong to an environment. Metrics can be listed but are not objects. */
export const isSearched = ({ group, isNamespaced, plural }: Resource): boolean =>
  isNamespaced && !unsearched.has(plural) && group !== 'metrics.k8s.io'

export const isClaim = ({ resource: { group, plural } }: Pick<FoundObjects, 'resource'>): boolean =>
  (group === '' && plural === 'persistentvolumeclaims') ||
  (group === 'snapshot.storage.k8s.io' && plural === 'volumesnapshots')

const recordPlurals: ReadonlySet<string> = new Set(['configmaps', 'secrets', 'leases'])

/** The environment whose record, saved variables, lock or plan this is. */
export const recordOf = ({ live, resource }: FoundObjects): string | undefined => {
  const environment = labelOf(live, ENVIRONMENT_LABEL)
  const isPlan = resource.plural === 'secrets' && labelOf(live, KIND_LABEL) === 'plan'
  const isOurs = environment !== undefined && (isPlan || live.metadata.name === recordName(environment))
  return isOurs && recordPlurals.has(resource.plural) ? environment : undefined
}

/** Objects that Kubernetes puts into every namespace. */
const ofEveryNamespace: ReadonlySet<string> = new Set([
  'serviceaccounts/default',
  'configmaps/kube-root-ca.crt',
  'configmaps/openshift-service-ca.crt',
])

/** Kubernetes created it: it is removed along with its owner, or recreated at once. */
export const isOfKubernetes = (found: FoundObjects): boolean => {
  const { live, resource } = found
  if (controllerOf(live) !== undefined) return true
  if (resource.plural === 'leases') return recordOf(found) === undefined
  if (resource.plural === 'secrets' && annotationOf(live, 'kubernetes.io/service-account.name') === 'default')
    return true
  return resource.group === '' && ofEveryNamespace.has(`${resource.plural}/${live.metadata.name}`)
}

const rules: ReadonlySet<string> = new Set(['roles', 'rolebindings', 'resourcequotas', 'limitranges'])

/** What the cluster's administrator set up in the namespace. Deleting it might take away our own permissions. */
export const isRuleOfNamespace = ({ live, resource }: FoundObjects): boolean =>
  rules.has(resource.plural) &&
  labelOf(live, ENVIRONMENT_LABEL) === undefined &&
  annotationOf(live, 'meta.helm.sh/release-name') === undefined
