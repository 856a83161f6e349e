/** Everything in a namespace that shows what runs there, and why something does not run. */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Failure, isForbidden } from '../../domain/cluster/failure.ts'
import type { ClusterObject, Observed } from '../../domain/cluster/live.ts'
import { type KnownKind, resources, workloadKinds } from '../../domain/cluster/resources.ts'
import { UP_SELECTOR } from '../../domain/dev/names.ts'
import { RECORD_SELECTOR } from '../../domain/k8s/labels.ts'
import { defined } from '../../domain/object/defined.ts'
import { environmentsNow } from '../../domain/platform/api/environments-now.ts'
import type { EnvironmentNow } from '../../domain/platform/api/service-routes.ts'
import type { Cluster } from '../../ports/cluster.ts'
import { environmentsOf } from './find-record.ts'

const kinds: ReadonlyArray<KnownKind> = [
  ...workloadKinds,
  ...(['Pod', 'ReplicaSet', 'PersistentVolumeClaim', 'Event', 'Service', 'Ingress'] as const),
]

/** `skipped`: kinds that may not be listed. */
type NamespaceNow = {
  readonly observed: Observed
  readonly environments: ReadonlyArray<EnvironmentNow>
  readonly skipped: ReadonlyArray<string>
}
type Items = ReadonlyArray<ClusterObject>

/** `undefined` for a kind that may not be listed. */
const listing =
  (cluster: Pick<Cluster, 'list'>, namespace: string, signal: AbortSignal | undefined) =>
  (kind: KnownKind, labels?: string): TE.TaskEither<Failure, Items | undefined> =>
    pipe(
      cluster.list({ resource: resources[kind], namespace, ...defined({ labels }) }, defined({ signal })),
      TE.matchE(
        (failure) => (isForbidden(failure) ? TE.right(undefined) : TE.left(failure)),
        ({ items }) => TE.right(items),
      ),
    )

const byName = (items: Items): ReadonlyMap<string, ClusterObject> =>
  new Map(items.map((live) => [live.metadata.name, live]))

export const readNamespaceNow = (
  cluster: Pick<Cluster, 'list'>,
  namespace: string,
  now: string,
  signal?: AbortSignal,
): TE.TaskEither<Failure, NamespaceNow> => {
  const list = listing(cluster, namespace, signal)
  const listed = (kind: KnownKind, labels?: string) =>
    pipe(
      list(kind, labels),
      TE.map((items) => ({ kind, items })),
    )
  return pipe(
    TE.Do,
    TE.apS('records', list('ConfigMap', RECORD_SELECTOR)),
    TE.apS('all', TE.sequenceArray([...kinds.map((kind) => listed(kind)), listed('ConfigMap', UP_SELECTOR)])),
    TE.map(({ all, records = [] }) => {
      const observed: Observed = new Map(all.map(({ items = [], kind }) => [kind, byName(items)]))
      return {
        observed,
        environments: environmentsNow(observed, environmentsOf(records).environments, now),
        skipped: all.flatMap(({ items, kind }) => (items === undefined ? [kind] : [])),
      }
    }),
  )
}
