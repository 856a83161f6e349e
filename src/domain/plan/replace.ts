/** Changes that the API forbids, so the object has to be deleted and recreated. Claims are never replaced. */

import { at, listAt, textAt } from '../cluster/json.ts'
import { annotationOf, type ClusterObject } from '../cluster/live.ts'
import { TEMPLATE_HASH_ANNOTATION } from '../k8s/labels.ts'
import type { KubeObject, StatefulSet } from '../k8s/types.ts'
import type { Action } from './action.ts'
import { covers } from './covers.ts'

export type Replacement = Pick<Action<'Delete'>, 'propagation' | 'because'>

const statefulSetOf = (live: ClusterObject, { spec }: StatefulSet): Replacement | undefined => {
  const templates = at(live, 'spec', 'volumeClaimTemplates') ?? []
  const isSame =
    covers(templates, spec.volumeClaimTemplates ?? []) &&
    textAt(live, 'spec', 'serviceName') === spec.serviceName &&
    textAt(live, 'spec', 'podManagementPolicy') === spec.podManagementPolicy
  if (isSame) return undefined
  // Pods with the same volumes are adopted and rolled. Pods that lack one of them could never be updated.
  const names = listAt(live, 'spec', 'volumeClaimTemplates').map((one) => textAt(one, 'metadata', 'name'))
  const wanted = (spec.volumeClaimTemplates ?? []).map(({ metadata: { name } }) => name)
  const hasSameVolumes = names.length === wanted.length && wanted.every((name) => names.includes(name))
  return { propagation: hasSameVolumes ? 'Orphan' : 'Foreground', because: 'its claim templates changed' }
}

const isHeadless = (clusterIp: string | undefined): boolean => clusterIp === 'None'

/** `undefined` when the object can be changed in place. Jobs are handled in jobs.ts. */
export const replacementOf = (live: ClusterObject, object: KubeObject): Replacement | undefined => {
  if (object.kind === 'StatefulSet') return statefulSetOf(live, object)
  if (object.kind !== 'Service') return undefined
  const isSame = isHeadless(textAt(live, 'spec', 'clusterIP')) === isHeadless(object.spec.clusterIP)
  return isSame ? undefined : { propagation: 'Background', because: 'it gains its first port or loses its last' }
}

export const hasSameTemplate = (live: ClusterObject, object: KubeObject): boolean =>
  annotationOf(live, TEMPLATE_HASH_ANNOTATION) === object.metadata.annotations?.get(TEMPLATE_HASH_ANNOTATION)
