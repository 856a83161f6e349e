/** Which of two runs is the older. */
import { annotationOf, type ClusterObject } from '../../cluster/live.ts'
import { QUEUED_ANNOTATION } from '../../k8s/labels.ts'

/** `created`: as the cluster writes it, in whole seconds. `queuedMs`: when it was asked for, as the platform's clock says. */
export type RunAge = { readonly created: string; readonly queuedMs: number }

/** Of the Job or the record of a run. */
export const runAgeOf = (live: ClusterObject): RunAge => {
  const queuedMs = Number(annotationOf(live, QUEUED_ANNOTATION))
  return {
    created: live.metadata.creationTimestamp ?? '',
    queuedMs: Number.isSafeInteger(queuedMs) ? queuedMs : 0,
  }
}

const order = (a: string | number, b: string | number): number => (a === b ? 0 : a < b ? -1 : 1)

/**
 * The older first. The cluster's time goes before the annotation, which members can write: it only orders runs of the same
 * second.
 */
export const byRunAge = (a: RunAge, b: RunAge): number => order(a.created, b.created) || order(a.queuedMs, b.queuedMs)
