/** Who owns an object. Objects of another environment, of another tool, or without an owner are never taken over. */

import { annotationOf, type ClusterObject, labelOf } from '../cluster/live.ts'
import { type Diagnostic, error, placed } from '../diagnostic/diagnostic.ts'
import { ENVIRONMENT_LABEL, KIND_LABEL, MANAGED_BY_LABEL, POLICY_ANNOTATION } from '../k8s/labels.ts'
import type { Origin } from './action.ts'

/** Created by the translation, rather than by a command of the manifest; the record itself is neither. */
export const isTranslated = (live: ClusterObject, environment: string): boolean =>
  labelOf(live, ENVIRONMENT_LABEL) === environment &&
  labelOf(live, MANAGED_BY_LABEL) === 'devtool' &&
  labelOf(live, KIND_LABEL) === undefined

export const isKept = (live: ClusterObject): boolean => annotationOf(live, POLICY_ANNOTATION) === 'keep'

/** The same application may have another name here: a folder's name is the default. */
const helpFor = (live: ClusterObject): string => {
  const environment = labelOf(live, ENVIRONMENT_LABEL)
  const same = environment === undefined ? '' : `, or deploy with --name ${environment} if it is the same application`
  return `it is not changed: deploy to another namespace, rename the service, or delete the object${same}`
}

const ownerOf = (live: ClusterObject): string => {
  const environment = labelOf(live, ENVIRONMENT_LABEL)
  if (environment !== undefined) return `belongs to the environment "${environment}"`
  const release = annotationOf(live, 'meta.helm.sh/release-name')
  if (release !== undefined) return `belongs to the Helm release "${release}"`
  const manager = labelOf(live, MANAGED_BY_LABEL)
  return manager === undefined ? 'was not created by devtool' : `is managed by ${manager}`
}

/** DT3101 when `live` has the name of one of our objects but belongs to somebody else. */
export const ownershipFindings = (
  live: ClusterObject | undefined,
  environment: string,
  name: string,
  [first]: ReadonlyArray<Origin>,
): ReadonlyArray<Diagnostic> => {
  if (live === undefined || labelOf(live, ENVIRONMENT_LABEL) === environment) return []
  const found =
    live.metadata.deletionTimestamp === undefined
      ? error('DT3101', `${name} exists and ${ownerOf(live)}`, {
          help: helpFor(live),
        })
      : error('DT3101', `${name} ${ownerOf(live)}, and is still being deleted`, {
          help: 'deploy again once it is gone',
        })
  return [placed(first?.at, found)]
}
