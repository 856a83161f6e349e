/** Controllers that look at a workload and would not leave it as `up` needs it, or are of no use meanwhile. */
import { at, numberAt, textAt } from '../cluster/json.ts'
import { allOf, annotationOf, type ClusterObject, labelOf, type Observed } from '../cluster/live.ts'
import { resources } from '../cluster/resources.ts'
import { type Diagnostic, remark, warning } from '../diagnostic/diagnostic.ts'
import { changeOf, touchedBy } from './field-changes.ts'
import type { Touched } from './record.ts'
import { devKindOf, podMetadataOf, showLive } from './workload.ts'

const isTargetOf =
  (original: ClusterObject, reference: string) =>
  (scaler: ClusterObject): boolean =>
    textAt(scaler, 'spec', reference, 'name') === original.metadata.name &&
    (textAt(scaler, 'spec', reference, 'kind') ?? 'Deployment') === original.kind

const scaledObjectsOf = (original: ClusterObject, observed: Observed): ReadonlyArray<ClusterObject> =>
  allOf(observed, 'ScaledObject').filter(isTargetOf(original, 'scaleTargetRef'))

/** KEDA and Flux leave alone what has these annotations. */
const KEDA_PAUSED = 'autoscaling.keda.sh/paused'
const FLUX_RECONCILE = 'kustomize.toolkit.fluxcd.io/reconcile'
const FLUX_DRIFT = 'helm.toolkit.fluxcd.io/driftDetection'

const fluxAnnotation = (original: ClusterObject): string | undefined => {
  if (labelOf(original, 'kustomize.toolkit.fluxcd.io/name') !== undefined) return FLUX_RECONCILE
  return labelOf(original, 'helm.toolkit.fluxcd.io/name') === undefined ? undefined : FLUX_DRIFT
}

/** What is changed before the workload is stopped, so that nobody starts it again. */
export const pausedFor = (original: ClusterObject, observed: Observed): ReadonlyArray<Touched> => {
  const kind = devKindOf(original)
  const flux = fluxAnnotation(original)
  const scalers = scaledObjectsOf(original, observed).flatMap((scaler) =>
    touchedBy(
      scaler,
      { resource: resources.ScaledObject, name: scaler.metadata.name },
      changeOf(scaler, ['metadata', 'annotations', KEDA_PAUSED], 'true'),
    ),
  )
  if (kind === undefined || flux === undefined) return scalers
  const target = { resource: resources[kind], name: original.metadata.name }
  const changes = changeOf(original, ['metadata', 'annotations', flux], 'disabled')
  return [...scalers, ...touchedBy(original, target, changes)]
}

/** The Argo CD application that the workload belongs to. */
const argoOf = (original: ClusterObject): string | undefined => {
  const [tracked] = (annotationOf(original, 'argocd.argoproj.io/tracking-id') ?? '').split(':')
  return tracked === '' ? undefined : tracked
}

const budgetsOf = (original: ClusterObject, observed: Observed): ReadonlyArray<ClusterObject> => {
  const labels = podMetadataOf(original)['labels']
  return allOf(observed, 'PodDisruptionBudget').filter((budget) => {
    const wanted = at(budget, 'spec', 'selector', 'matchLabels')
    if (typeof wanted !== 'object' || wanted === null) return false
    return Object.entries(wanted).every(([name, value]) => textAt(labels, name) === value)
  })
}

/** DT5010 to DT5014: said once, before anything is written. */
export const controllerNotices = (original: ClusterObject, observed: Observed): ReadonlyArray<Diagnostic> => {
  const name = showLive(original)
  const scalers = allOf(observed, 'HorizontalPodAutoscaler').filter(isTargetOf(original, 'scaleTargetRef'))
  const keda = scaledObjectsOf(original, observed)
  const argo = argoOf(original)
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
    ...(argo === undefined
      ? []
      : [
          warning('DT5013', `${name} belongs to the Argo CD application "${argo}", which may start it again`, {
            help: `if it does, pause it: kubectl annotate applications.argoproj.io ${argo} --namespace argocd argocd.argoproj.io/skip-reconcile=true`,
          }),
        ]),
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
