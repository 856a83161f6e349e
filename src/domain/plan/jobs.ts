/** Whether an existing Job has to run again. A Job cannot be changed, so running it again means replacing it. */

import { listAt, textAt } from '../cluster/json.ts'
import type { ClusterObject } from '../cluster/live.ts'
import { CONFIG_ANNOTATION } from '../k8s/labels.ts'
import type { Job, PodTemplate } from '../k8s/types.ts'
import { hasSameTemplate } from './replace.ts'

/** Secrets that the pods mount. */
export const secretsOf = ({ spec: { volumes = [] } }: PodTemplate): ReadonlyArray<string> =>
  volumes.flatMap(({ secret }) => (secret === undefined ? [] : [secret.secretName]))

export const claimsOf = ({ spec: { volumes = [] } }: PodTemplate): ReadonlyArray<string> =>
  volumes.flatMap(({ persistentVolumeClaim }) =>
    persistentVolumeClaim === undefined ? [] : [persistentVolumeClaim.claimName],
  )

const hasFailed = (live: ClusterObject): boolean =>
  listAt(live, 'status', 'conditions').some(
    (condition) => textAt(condition, 'type') === 'Failed' && textAt(condition, 'status') === 'True',
  )

const configOf = (live: ClusterObject): string | undefined =>
  textAt(live, 'spec', 'template', 'metadata', 'annotations', CONFIG_ANNOTATION)

/** What happened in this run that concerns the Job. `config`: the config annotation that its pods would get now. */
type Occasion = {
  readonly isForced: boolean
  readonly config: string | undefined
  /** A claim that the Job, or a service it depends on, mounts was created in this run. */
  readonly hasNewClaim: boolean
}

/** Why the Job has to run again; `undefined` when it can be left alone. */
export const rerunReason = (live: ClusterObject, job: Job, occasion: Occasion): string | undefined => {
  if (occasion.isForced) return '--rerun-jobs was given'
  if (!hasSameTemplate(live, job)) return 'its definition changed'
  if (configOf(live) !== occasion.config) return 'a ConfigMap or Secret it reads changed'
  if (occasion.hasNewClaim) return 'a volume it uses is new'
  return hasFailed(live) ? 'it failed' : undefined
}
