/** Controllers that act on a workload and would undo the changes of `up`, or have no effect while it is developed. */
import { at, listAt, numberAt, textAt } from '../cluster/json.ts'
import { allOf, annotationOf, type ClusterObject, labelOf, type Observed } from '../cluster/live.ts'
import { resources } from '../cluster/resources.ts'
import { type Diagnostic, remark, warning } from '../diagnostic/diagnostic.ts'
import { ifDefined } from '../object/defined.ts'
import type { NamedValue } from '../text/written.ts'
import { applicationOf, argoPaused, isHealing, liveApplication, showApplication } from './argo.ts'
import { changeOf, touchedBy } from './field-changes.ts'
import { textsOf } from './overrides.ts'
import type { Touched } from './record.ts'
import { devKindOf, podMetadataOf, showLive } from './workload.ts'

const isTargetOf =
  (original: ClusterObject, reference: string) =>
  (scaler: ClusterObject): boolean =>
    textAt(scaler, 'spec', reference, 'name') === original.metadata.name &&
    (textAt(scaler, 'spec', reference, 'kind') ?? 'Deployment') === original.kind

const scaledObjectsOf = (original: ClusterObject, observed: Observed): ReadonlyArray<ClusterObject> =>
  allOf(observed, 'ScaledObject').filter(isTargetOf(original, 'scaleTargetRef'))

/**
 * Names of KEDA autoscalers for the workload that cannot be read; the HorizontalPodAutoscalers that KEDA created for
 * them can.
 */
export const unseenScalers = (original: ClusterObject, observed: Observed): ReadonlyArray<string> => {
  const seen = new Set(allOf(observed, 'ScaledObject').map(({ metadata }) => metadata.uid))
  return allOf(observed, 'HorizontalPodAutoscaler')
    .filter(isTargetOf(original, 'scaleTargetRef'))
    .flatMap(({ metadata }) => metadata.ownerReferences ?? [])
    .filter((owner) => textAt(owner, 'kind') === 'ScaledObject' && !seen.has(textAt(owner, 'uid') ?? ''))
    .map((owner) => textAt(owner, 'name') ?? '')
}

/** KEDA and Flux ignore objects with these annotations. */
const KEDA_PAUSED = 'autoscaling.keda.sh/paused'
const FLUX_RECONCILE = 'kustomize.toolkit.fluxcd.io/reconcile'
const FLUX_DRIFT = 'helm.toolkit.fluxcd.io/driftDetection'

const fluxAnnotation = (original: ClusterObject): string | undefined => {
  if (labelOf(original, 'kustomize.toolkit.fluxcd.io/name') !== undefined) return FLUX_RECONCILE
  return labelOf(original, 'helm.toolkit.fluxcd.io/name') === undefined ? undefined : FLUX_DRIFT
}

/**
 * What is changed before the workload is stopped, so that no controller starts it again. It also gets those of the
 * section's annotations (`wanted`) that it does not have, since they may be meant for such a controller.
 */
export const pausedFor = (
  original: ClusterObject,
  observed: Observed,
  wanted: ReadonlyArray<NamedValue> = [],
): ReadonlyArray<Touched> => {
  const kind = devKindOf(original)
  const flux = fluxAnnotation(original)
  const lacking = wanted.filter(({ name }) => annotationOf(original, name) === undefined)
  const annotations = { ...textsOf(lacking), ...ifDefined(flux, (name) => ({ [name]: 'disabled' })) }
  const scalers = scaledObjectsOf(original, observed).flatMap((scaler) =>
    touchedBy(
      scaler,
      { resource: resources.ScaledObject, name: scaler.metadata.name },
      changeOf(scaler, ['metadata', 'annotations', KEDA_PAUSED], 'true'),
    ),
  )
  const paused = [...argoPaused(original, observed), ...scalers]
  if (kind === undefined) return paused
  const target = { resource: resources[kind], name: original.metadata.name }
  const changes = Object.entries(annotations).flatMap(([name, value = '']) =>
    changeOf(original, ['metadata', 'annotations', name], value),
  )
  return [...paused, ...touchedBy(original, target, changes)]
}

/** DT5019 and DT5013. */
const argoNotices = (original: ClusterObject, observed: Observed): ReadonlyArray<Diagnostic> => {
  const application = applicationOf(original)
  if (application === undefined) return []
  const live = liveApplication(observed, application)
  const shown = showApplication(application)
  const what = `${showLive(original)} belongs to the Argo CD application ${shown}`
  if (argoPaused(original, observed).length > 0) {
    return [remark('DT5019', `${what}, which is paused until \`devtool down\``)]
  }
  if (live !== undefined && isHealing(live)) return [remark('DT5019', `${what}, which is paused`)]
  const { name, namespace } = application
  return [
    warning('DT5013', `${what}, ${live === undefined ? 'which may' : 'whose next sync will'} start it again`, {
      help: `if it does, pause it: \`kubectl annotate applications.argoproj.io ${name} --namespace ${namespace} argocd.argoproj.io/skip-reconcile=true\``,
    }),
  ]
}

/** An operator may revert changes to what it created. The CronJob, which owns a Job, does not. */
const operatorNotices = (original: ClusterObject): ReadonlyArray<Diagnostic> =>
  listAt(original, 'metadata', 'ownerReferences')
    .filter((owner) => at(owner, 'controller') === true && textAt(owner, 'kind') !== 'CronJob')
    .map((owner) => {
      const shown = `${textAt(owner, 'kind')}/${textAt(owner, 'name')}`
      return warning('DT5013', `${showLive(original)} belongs to ${shown}, whose operator may start it again`, {
        help: 'if it does, pause it as the documentation of the operator says',
      })
    })

const budgetsOf = (original: ClusterObject, observed: Observed): ReadonlyArray<ClusterObject> => {
  const labels = podMetadataOf(original)['labels']
  return allOf(observed, 'PodDisruptionBudget').filter((budget) => {
    const wanted = at(budget, 'spec', 'selector', 'matchLabels')
    if (typeof wanted !== 'object' || wanted === null) return false
    return Object.entries(wanted).every(([name, value]) => textAt(labels, name) === value)
  })
}

/** DT5010 to DT5014, DT5019: reported once, before anything is written. */
export const controllerNotices = (original: ClusterObject, observed: Observed): ReadonlyArray<Diagnostic> => {
  const name = showLive(original)
  const scalers = allOf(observed, 'HorizontalPodAutoscaler').filter(isTargetOf(original, 'scaleTargetRef'))
  const keda = scaledObjectsOf(original, observed)
  const ofKeda = new Set(keda.map(({ metadata }) => metadata.uid))
  const plain = scalers.filter(
    ({ metadata }) => !(metadata.ownerReferences ?? []).some((owner) => ofKeda.has(textAt(owner, 'uid') ?? '')),
  )
  return [
    ...plain.map(({ metadata }) =>
      remark(
        'DT5010',
        `${name} is scaled by HorizontalPodAutoscaler/${metadata.name}, which does nothing until \`devtool down\``,
      ),
    ),
    ...keda.map(({ metadata }) =>
      remark('DT5011', `${name} is scaled by ScaledObject/${metadata.name}, which is paused until \`devtool down\``),
    ),
    ...(fluxAnnotation(original) === undefined
      ? []
      : [remark('DT5012', `${name} is kept up to date by Flux, which leaves it alone until \`devtool down\``)]),
    ...argoNotices(original, observed),
    ...operatorNotices(original),
    ...budgetsOf(original, observed)
      .filter((budget) => (numberAt(budget, 'spec', 'minAvailable') ?? 1) > 0)
      .map(({ metadata }) =>
        remark(
          'DT5014',
          `PodDisruptionBudget/${metadata.name} covers the development container: a drain of its node may wait for \`devtool down\``,
        ),
      ),
  ]
}
