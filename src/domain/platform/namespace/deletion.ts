/**
 * Deletes a namespace: a run in each environment with destroy commands carries these out, then the namespace is
 * deleted. When a run fails, everything is kept, so that somebody can look into it and delete it again, or without the
 * commands.
 */
import type { JsonObject } from '../../cluster/json.ts'
import type { ClusterObject } from '../../cluster/live.ts'
import { DELETION_ANNOTATION, STATUS_ANNOTATION } from '../../k8s/labels.ts'
import { defined, ifDefined } from '../../object/defined.ts'
import { secondsBetween } from '../../text/moment.ts'
import type { NamespaceStatus } from '../access.ts'
import { NamespaceDeletion } from '../deletion-record.ts'
import { hasEnded, type RunRecord } from '../run/record.ts'
import { runIdOf } from '../run/request.ts'

/** A change of the Namespace as it was read. The controller does the rest. */
export const deletionChange = (
  { metadata: { resourceVersion, uid } }: ClusterObject,
  status: Exclude<NamespaceStatus, 'Active'>,
  deletion: NamespaceDeletion,
): JsonObject => ({
  metadata: {
    uid,
    resourceVersion,
    annotations: {
      [STATUS_ANNOTATION]: status,
      [DELETION_ANNOTATION]: JSON.stringify(NamespaceDeletion.encode(deletion)),
    },
  },
})

/** A change of the Namespace as it was read, so that it can be used again, and expires and sleeps as before. */
export const withdrawnDeletion = ({ metadata: { resourceVersion, uid } }: ClusterObject): JsonObject => ({
  metadata: { uid, resourceVersion, annotations: { [STATUS_ANNOTATION]: null, [DELETION_ANNOTATION]: null } },
})

/** The id of an environment's destroy run: a new one each time that the deletion is requested. */
export const destroyRunId = (namespace: string, { since, user }: NamespaceDeletion, environment: string): string =>
  runIdOf(namespace, user, JSON.stringify(['delete', since, environment]))

/** `environments`: those with destroy commands. `runs`: the destroy runs, by environment. */
export type DeletionSeen = {
  readonly deletion: NamespaceDeletion
  readonly environments: ReadonlyArray<string>
  readonly runs: ReadonlyMap<string, RunRecord>
  readonly now: string
}

export type DeletionAct =
  | { readonly _tag: 'Wait' }
  | { readonly _tag: 'Destroy'; readonly environments: ReadonlyArray<string> }
  | { readonly _tag: 'End' }
  | { readonly _tag: 'Fail'; readonly deletion: NamespaceDeletion }

export const MOST_DELETION_SECONDS = 300

/** Law: without `force`, nothing is deleted before the destroy run of every environment has succeeded. */
export const stepDeletion = ({ deletion, environments, now, runs }: DeletionSeen): DeletionAct => {
  if (deletion.force) return { _tag: 'End' }
  const own = environments.flatMap((name) => runs.get(name) ?? [])
  const bad = own.find((run) => hasEnded(run) && run.status !== 'succeeded')
  if (bad !== undefined) {
    const reason = `the destroy commands of ${bad.environment} did not succeed: their run ended as ${bad.status}`
    return { _tag: 'Fail', deletion: { ...deletion, run: bad.id, reason } }
  }
  if (own.length === environments.length && own.every(hasEnded)) return { _tag: 'End' }
  if (secondsBetween(deletion.since, now) > MOST_DELETION_SECONDS) {
    const reason = `the destroy commands took longer than ${MOST_DELETION_SECONDS / 60} minutes`
    const [late] = own.filter((run) => !hasEnded(run))
    return { _tag: 'Fail', deletion: { ...deletion, reason, ...defined({ run: ifDefined(late, ({ id }) => id) }) } }
  }
  const missing = environments.filter((name) => !runs.has(name))
  return missing.length === 0 ? { _tag: 'Wait' } : { _tag: 'Destroy', environments: missing }
}
