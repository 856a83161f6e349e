/** Whether an existing Job has to run again. A Job cannot be changed, so running it again means replacing it. */

import { textAt } from '../cluster/json.ts'
import type { ClusterObject } from '../cluster/live.ts'
import { type Diagnostic, error } from '../diagnostic/diagnostic.ts'
import { CONFIG_ANNOTATION, SERVICE_LABEL } from '../k8s/labels.ts'
import type { Job, PodTemplate } from '../k8s/types.ts'
import { isJobFailed } from '../rollout/pod.ts'
import { suggestion } from '../text/suggest.ts'
import { visible } from '../text/visible.ts'
import { partition } from './action.ts'
import type { Plan } from './plan.ts'
import { hasSameTemplate } from './replace.ts'

/** Secrets that the pods mount. */
export const secretsOf = ({ spec: { volumes = [] } }: PodTemplate): ReadonlyArray<string> =>
  volumes.flatMap(({ secret }) => (secret === undefined ? [] : [secret.secretName]))

export const claimsOf = ({ spec: { volumes = [] } }: PodTemplate): ReadonlyArray<string> =>
  volumes.flatMap(({ persistentVolumeClaim }) =>
    persistentVolumeClaim === undefined ? [] : [persistentVolumeClaim.claimName],
  )

const configOf = (live: ClusterObject): string | undefined =>
  textAt(live, 'spec', 'template', 'metadata', 'annotations', CONFIG_ANNOTATION)

const serviceOf = ({ metadata: { labels, name } }: Job): string => labels?.get(SERVICE_LABEL) ?? name

/** Which finished Jobs run again: those that changed or failed, and in addition these; or none at all. */
export type JobRule =
  | { readonly _tag: 'Changed' | 'All' | 'None' }
  | { readonly _tag: 'Named'; readonly services: ReadonlySet<string> }

/** DT2005 for names that are not Jobs of the plan. */
export const unknownJobs = (rule: JobRule, { actions }: Plan): ReadonlyArray<Diagnostic> => {
  if (rule._tag !== 'Named') return []
  const jobs = partition(actions).Apply.flatMap(({ object }) => (object.kind === 'Job' ? [serviceOf(object)] : []))
  return [...rule.services]
    .filter((name) => !jobs.includes(name))
    .map((name) =>
      error('DT2005', `--rerun-jobs: "${visible(name)}" is not a Job`, {
        help: suggestion(name, jobs, 'the file has no Jobs'),
      }),
    )
}

const isForced = (rule: JobRule, service: string): boolean =>
  rule._tag === 'All' || (rule._tag === 'Named' && rule.services.has(service))

/** What happened in this run that concerns the Job. `config`: the config annotation that its pods would get now. */
type Occasion = {
  readonly rule: JobRule
  readonly config: string | undefined
  /** A claim that the Job, or a service it depends on, mounts was created in this run. */
  readonly hasNewClaim: boolean
}

/** Why the Job has to run again; `undefined` when it can be left alone. */
export const rerunReason = (live: ClusterObject, job: Job, occasion: Occasion): string | undefined => {
  if (isForced(occasion.rule, serviceOf(job))) return '--rerun-jobs was given'
  if (!hasSameTemplate(live, job)) return 'its definition changed'
  if (configOf(live) !== occasion.config) return 'a ConfigMap or Secret it reads changed'
  if (occasion.hasNewClaim) return 'a volume it uses is new'
  return isJobFailed(live) ? 'it failed' : undefined
}
