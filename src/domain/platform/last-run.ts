/** The last run of a preview, noted on its Namespace, so that lists of previews read nothing else. */
import * as t from 'io-ts'
import type { JsonObject } from '../cluster/json.ts'
import { annotationOf, type ClusterObject } from '../cluster/live.ts'
import { LAST_RUN_ANNOTATION } from '../k8s/labels.ts'
import { keys } from '../print/document.ts'

export const LastRun = keys({
  id: [t.string, 'id of the run'],
  status: [t.string, 'how far it is, or how it ended, as of a run'],
})
export type LastRun = t.TypeOf<typeof LastRun>

export const lastRunIn = (namespace: ClusterObject): LastRun | undefined => {
  const [, id, status] = /^(\S+) (\S+)$/.exec(annotationOf(namespace, LAST_RUN_ANNOTATION) ?? '') ?? []
  return id === undefined || status === undefined ? undefined : { id, status }
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
