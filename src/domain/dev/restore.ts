/** Plans what `down` restores, from the record and the current state of the cluster. */
import type { JsonObject } from '../cluster/json.ts'
import { type ClusterObject, labelOf, liveOf, type Observed } from '../cluster/live.ts'
import { type KnownKind, resources } from '../cluster/resources.ts'
import { MIRROR_LABEL } from '../k8s/labels.ts'
import type { Bound } from '../plan/action.ts'
import { bindDeletion } from '../plan/bind.ts'
import { isPause, isSharedPause } from './argo.ts'
import { isCreatedByUp } from './autocreate.ts'
import { patch } from './belongings.ts'
import { isBack, isInEffect, patchTo } from './field-changes.ts'
import { handedBack, isManagedByUp } from './managed-fields.ts'
import type { DevRecord, Touched } from './record.ts'
import type { Round } from './round.ts'

/** `withVolumes`: the claim of the development container is deleted too. */
export type DownRequest = { readonly record: DevRecord; readonly withVolumes: boolean }

const because = 'it is not developed any more'

const deletion = (
  observed: Observed,
  kind: KnownKind,
  name: string,
  propagation: 'Foreground' | 'Background',
  isOurs: (live: ClusterObject) => boolean,
): ReadonlyArray<Bound> => {
  const live = liveOf(observed, kind, name)
  return live === undefined || !isOurs(live)
    ? []
    : [bindDeletion({ resource: resources[kind], name }, live, { propagation, because })]
}

/** The object that was changed, if it is still the same one and is not being deleted. */
const touchedLive = (
  { name, namespace, resource: { kind }, uid }: Touched,
  observed: Observed,
): ClusterObject | undefined => {
  const live = liveOf(observed, kind, name, namespace)
  return live?.metadata.uid === uid && live.metadata.deletionTimestamp === undefined ? live : undefined
}

/** Restores the fields that still have the value set by `up`; a value that somebody else has set since then is kept. */
const oldValues = (live: ClusterObject, { changes }: Touched): JsonObject | undefined =>
  patchTo(
    live,
    changes
      .filter((change) => isInEffect(live, change) && isManagedByUp(live, change.path))
      .filter((change) => !(isPause(change) && isSharedPause(live, changes)))
      .map(({ before, path }) => ({ path, value: before })),
  )

/** One patch per object and round: the last change is undone first. */
const restored = (
  { touched }: DevRecord,
  observed: Observed,
  bodyOf: (live: ClusterObject, touched: Touched) => JsonObject | undefined,
  after: ReadonlyArray<string>,
): ReadonlyArray<Bound> => {
  const seen = new Set<string>()
  return touched.toReversed().flatMap((one): ReadonlyArray<Bound> => {
    const live = touchedLive(one, observed)
    const body = live === undefined || seen.has(one.uid) ? undefined : bodyOf(live, one)
    if (live === undefined || body === undefined) return []
    seen.add(one.uid)
    return [patch(live, one.resource, body, because, after)]
  })
}

/** Once all values are restored, gives the fields back to their former managers. */
const managers = (record: DevRecord, observed: Observed): ReadonlyArray<Bound> =>
  restored(
    record,
    observed,
    (live) => {
      const changes = record.touched.flatMap((one) => (one.uid === live.metadata.uid ? one.changes : []))
      if (isSharedPause(live, changes)) return undefined
      const managedFields = handedBack(
        live,
        changes.filter((change) => isBack(live, change)),
      )
      return managedFields === undefined ? undefined : { metadata: { managedFields } }
    },
    [],
  )

const isOfMirror =
  (mirror: string) =>
  (live: ClusterObject): boolean =>
    labelOf(live, MIRROR_LABEL) === mirror

const leftovers = ({ record, withVolumes }: DownRequest, observed: Observed): ReadonlyArray<Bound> => {
  const { isCreated, mirror, workload } = record
  const isOurs = isOfMirror(mirror)
  const claim = withVolumes ? deletion(observed, 'PersistentVolumeClaim', mirror, 'Background', isOurs) : []
  const created = isCreated
    ? (['Service', 'Deployment'] as const).flatMap((kind) =>
        deletion(observed, kind, workload.name, 'Background', isCreatedByUp),
      )
    : []
  const ends = deletion(observed, 'ConfigMap', mirror, 'Background', isOurs)
  const before = [...claim, ...created]
  return [...before, ...ends.map((end) => ({ ...end, after: before.map(({ id }) => id) }))]
}

/**
 * Deletes the mirror, restores the old values of the fields and then their managers, and deletes the record last, with
 * everything that it owns.
 */
export const planDown = (request: DownRequest, observed: Observed): Round => {
  const { record } = request
  const mirror = deletion(observed, 'Deployment', record.mirror, 'Foreground', isOfMirror(record.mirror))
  const values = restored(
    record,
    observed,
    oldValues,
    mirror.map(({ id }) => id),
  )
  if (mirror.length + values.length > 0) return { actions: [...mirror, ...values], waitsFor: [] }
  const handed = managers(record, observed)
  return { actions: handed.length > 0 ? handed : leftovers(request, observed), waitsFor: [] }
}
