/** Plans what `down` restores, from the record and the current state of the cluster. */
import { type ClusterObject, labelOf, liveOf, type Observed } from '../cluster/live.ts'
import { type KnownKind, resources } from '../cluster/resources.ts'
import { MIRROR_LABEL } from '../k8s/labels.ts'
import type { Bound } from '../plan/action.ts'
import { bindDeletion } from '../plan/bind.ts'
import { isCreatedByUp } from './autocreate.ts'
import { byUp } from './belongings.ts'
import { managersBack, valuesBack } from './give-back.ts'
import type { DevRecord } from './record.ts'
import type { Round } from './round.ts'

/** `withVolumes`: the claim of the development container is deleted too. */
export type DownRequest = { readonly record: DevRecord; readonly withVolumes: boolean }

const because = 'it is not developed any more'
const by = byUp(because)

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
  const values = valuesBack(
    record.touched,
    observed,
    by,
    mirror.map(({ id }) => id),
  )
  if (mirror.length + values.length > 0) return { actions: [...mirror, ...values], waitsFor: [] }
  const handed = managersBack(record.touched, observed, by)
  return { actions: handed.length > 0 ? handed : leftovers(request, observed), waitsFor: [] }
}
