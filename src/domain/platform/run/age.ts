/** The age of runs, by which they are ordered, and which of them are kept. */
import { annotationOf, type ClusterObject, labelOf } from '../../cluster/live.ts'
import { QUEUED_ANNOTATION, RUN_STATUS_LABEL } from '../../k8s/labels.ts'

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

/** Per environment. */
const MOST_RUNS = 10

/** Of these records, the newest of each namespace. */
export const newestRuns = (records: Iterable<ClusterObject>): ReadonlyMap<string, ClusterObject> => {
  const newest = new Map<string, ClusterObject>()
  for (const record of records) {
    const { namespace = '' } = record.metadata
    const known = newest.get(namespace)
    if (known === undefined || byRunAge(runAgeOf(known), runAgeOf(record)) < 0) newest.set(namespace, record)
  }
  return newest
}

const isOver = (record: ClusterObject): boolean =>
  !['queued', 'running'].includes(labelOf(record, RUN_STATUS_LABEL) ?? '')

/** Of the records of one environment, those that are no longer kept; their metadata is enough. */
export const surplusRuns = (records: ReadonlyArray<ClusterObject>): ReadonlyArray<ClusterObject> =>
  records
    .toSorted((a, b) => byRunAge(runAgeOf(b), runAgeOf(a)))
    .slice(MOST_RUNS)
    .filter(isOver)
