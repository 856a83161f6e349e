/** The age of runs, by which they are ordered. */
import { annotationOf, type ClusterObject } from '../../cluster/live.ts'
import { QUEUED_ANNOTATION } from '../../k8s/labels.ts'

/** `created`: set by the cluster, in whole seconds. `queuedMs`: when it was requested, by the platform's clock. */
export type RunAge = { readonly created: string; readonly queuedMs: number }

/** The age of a run, from its Job or its record. */
export const runAgeOf = (live: ClusterObject): RunAge => {
  const queuedMs = Number(annotationOf(live, QUEUED_ANNOTATION))
  return {
    created: live.metadata.creationTimestamp ?? '',
    queuedMs: Number.isSafeInteger(queuedMs) ? queuedMs : 0,
  }
}

const order = (a: string | number, b: string | number): number => (a === b ? 0 : a < b ? -1 : 1)

/**
 * Oldest first. The cluster's time takes precedence over the annotation, which members can write: that only orders runs
 * of the same second.
 */
export const byRunAge = (a: RunAge, b: RunAge): number => order(a.created, b.created) || order(a.queuedMs, b.queuedMs)
