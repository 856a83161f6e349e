/** The last run of a preview, noted on its Namespace, so that lists of previews read nothing else. */
import * as t from 'io-ts'
import type { JsonObject } from '../../cluster/json.ts'
import { annotationOf, type ClusterObject, labelOf } from '../../cluster/live.ts'
import { LAST_RUN_ANNOTATION, RUN_LABEL, RUN_STATUS_LABEL } from '../../k8s/labels.ts'
import { keys } from '../../print/document.ts'
import { byRunAge, runAgeOf } from './age.ts'
import { RunStatus } from './record.ts'

export const LastRun = keys({ id: [t.string, 'id of the run'], status: [RunStatus, 'how far it is, or how it ended'] })
export type LastRun = t.TypeOf<typeof LastRun>

const lastRun = (id: string | undefined, status: string | undefined): LastRun | undefined => {
  const run: unknown = { id, status }
  return LastRun.is(run) ? run : undefined
}

export const lastRunIn = (namespace: ClusterObject): LastRun | undefined => {
  const [id, status] = annotationOf(namespace, LAST_RUN_ANNOTATION)?.split(' ') ?? []
  return lastRun(id, status)
}

/** Of the record of a run, of which only the metadata is known. */
export const lastRunOf = (record: ClusterObject): LastRun | undefined =>
  lastRun(labelOf(record, RUN_LABEL), labelOf(record, RUN_STATUS_LABEL))

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

/** `undefined`: there is none any more. */
export const lastRunChange = (
  { metadata: { resourceVersion } }: ClusterObject,
  run: LastRun | undefined,
): JsonObject => ({
  metadata: {
    resourceVersion,
    annotations: { [LAST_RUN_ANNOTATION]: run === undefined ? null : `${run.id} ${run.status}` },
  },
})
