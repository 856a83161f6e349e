/** Argo CD applications: which one a workload belongs to, and how it is paused while the workload is developed. */
import { at } from '../cluster/json.ts'
import { allOf, annotationOf, type ClusterObject, labelOf, liveOf, type Observed } from '../cluster/live.ts'
import { resources } from '../cluster/resources.ts'
import { PAUSED_FOR } from '../k8s/labels.ts'
import { isDnsName } from '../text/dns-name.ts'
import { sha256 } from '../text/sha256.ts'
import { changeOf, touchedBy } from './field-changes.ts'
import { mirrorName } from './names.ts'
import { type FieldChange, recordOf, type Touched } from './record.ts'
import { devKinds } from './workload.ts'

export type ApplicationName = { readonly namespace: string; readonly name: string }

export const showApplication = ({ name, namespace }: ApplicationName): string => `${namespace}/${name}`

/** Applications are in this namespace unless the name of another one is before theirs: `team_shop`. */
const usualNamespace = 'argocd'

const named = (text: string): ApplicationName => {
  const [first = '', second] = text.split('_')
  return second === undefined ? { namespace: usualNamespace, name: first } : { namespace: first, name: second }
}

/** `shop:apps/Deployment:default/api`. Argo CD ignores one that was copied from another object, and so does this. */
const trackedBy = (live: ClusterObject): string | undefined => {
  const [application, kind = '', object = ''] = (annotationOf(live, 'argocd.argoproj.io/tracking-id') ?? '').split(':')
  const isOwn = kind.endsWith(`/${live.kind}`) && object.endsWith(`/${live.metadata.name}`)
  return isOwn ? application : labelOf(live, 'argocd.argoproj.io/instance')
}

/** An invalid name is rejected: it would end up in a request path and in a command that is printed. */
export const applicationOf = (live: ClusterObject): ApplicationName | undefined => {
  const { name, namespace } = named(trackedBy(live) ?? '')
  return isDnsName(name) && isDnsName(namespace) ? { name, namespace } : undefined
}

/**
 * The applications that plans need, in any namespace: those of workloads, and those in records of workloads that may be
 * gone.
 */
export const applicationsIn = (observed: Observed): ReadonlyArray<ApplicationName> => {
  const ofWorkloads = devKinds.flatMap((kind) => allOf(observed, kind)).flatMap((live) => applicationOf(live) ?? [])
  const ofRecords = allOf(observed, 'ConfigMap').flatMap((live) => {
    const record = at(live, 'data', 'record') === undefined ? undefined : recordOf(live)
    if (record?._tag !== 'Right') return []
    return record.right.touched.flatMap(({ name, namespace }) => (namespace === undefined ? [] : { name, namespace }))
  })
  return [...new Map([...ofWorkloads, ...ofRecords].map((one) => [showApplication(one), one])).values()]
}

export const liveApplication = (observed: Observed, { name, namespace }: ApplicationName): ClusterObject | undefined =>
  liveOf(observed, 'Application', name, namespace)

/** Keyed by namespace and name, since applications of several namespaces may share a name. */
export const withApplications = (observed: Observed, lives: ReadonlyArray<ClusterObject>): Observed =>
  new Map([
    ...observed,
    [
      'Application',
      new Map(
        lives.map((live) => {
          const { name, namespace = '' } = live.metadata
          return [showApplication({ name, namespace }), live] as const
        }),
      ),
    ],
  ])

/** Whether Argo CD reverts any change to the application's workloads at once. */
export const isHealing = (application: ClusterObject): boolean => {
  const automated = at(application, 'spec', 'syncPolicy', 'automated')
  return at(automated, 'selfHeal') === true && at(automated, 'enabled') !== false
}

const SKIP = 'argocd.argoproj.io/skip-reconcile'

const annotation = (name: string): ReadonlyArray<string> => ['metadata', 'annotations', name]

const markersOf = ({ metadata: { annotations = {} } }: ClusterObject): ReadonlyArray<string> =>
  Object.keys(annotations).filter((name) => name.startsWith(PAUSED_FOR))

/** Whether the application is paused for another development container as well: the last one to end resumes it. */
export const isSharedPause = (live: ClusterObject, changes: ReadonlyArray<FieldChange>): boolean =>
  markersOf(live).some((name) => !changes.some(({ path }) => path.at(-1) === name))

export const isPause = ({ path }: FieldChange): boolean => path.at(-1) === SKIP

/**
 * Pauses the application of the workload if it would start the workload again. Nothing when somebody else has paused
 * it.
 */
export const argoPaused = (original: ClusterObject, observed: Observed): ReadonlyArray<Touched> => {
  const application = applicationOf(original)
  const live = application === undefined ? undefined : liveApplication(observed, application)
  if (application === undefined || live === undefined || !isHealing(live)) return []
  const { kind, metadata } = original
  const holder = `${metadata.namespace ?? ''}/${mirrorName(kind, metadata.name)}`
  const marker = `${PAUSED_FOR}${sha256(holder).slice(0, 10)}`
  const others = markersOf(live).filter((name) => name !== marker)
  const isPaused = annotationOf(live, SKIP) === 'true'
  if (isPaused && markersOf(live).length === 0) return []
  const pause: ReadonlyArray<FieldChange> =
    isPaused && others.length > 0
      ? [{ path: annotation(SKIP), during: 'true', owners: [] }]
      : changeOf(live, annotation(SKIP), 'true')
  const mark = changeOf(live, annotation(marker), holder)
  const target = { resource: resources.Application, name: application.name }
  return touchedBy(live, target, [...mark, ...pause]).map((one) => ({ ...one, namespace: application.namespace }))
}
