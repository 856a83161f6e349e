/** Reads what runs in a namespace, as the user who asks. */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { isForbidden } from '../../domain/cluster/failure.ts'
import type { ClusterObject } from '../../domain/cluster/live.ts'
import { type KnownKind, resources, workloadKinds } from '../../domain/cluster/resources.ts'
import { UP_SELECTOR } from '../../domain/dev/names.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import { RECORD_SELECTOR } from '../../domain/k8s/labels.ts'
import { defined } from '../../domain/object/defined.ts'
import { environmentsNow } from '../../domain/platform/api/environments-now.ts'
import { clusterProblem } from '../../domain/platform/api/problem.ts'
import type { EnvironmentNow } from '../../domain/platform/api/service-routes.ts'
import { accountOf } from '../../domain/platform/names.ts'
import type { Cluster } from '../../ports/cluster.ts'
import { environmentsOf } from '../environment/find-record.ts'
import type { Handlers, PlatformWorld } from './world.ts'

const kinds: ReadonlyArray<KnownKind> = [
  ...workloadKinds,
  ...(['Pod', 'ReplicaSet', 'PersistentVolumeClaim', 'Event', 'Service', 'Ingress'] as const),
]

type NamespaceNow = { readonly environments: ReadonlyArray<EnvironmentNow>; readonly skipped: ReadonlyArray<string> }
type Items = ReadonlyArray<ClusterObject>

/** `undefined` for a kind that the user may not list. */
const listing =
  (cluster: Cluster, namespace: string) =>
  (kind: KnownKind, labels?: string): TE.TaskEither<Diagnostic, Items | undefined> =>
    pipe(
      cluster.list({ resource: resources[kind], namespace, ...defined({ labels }) }),
      TE.matchE(
        (failure) =>
          isForbidden(failure) ? TE.right(undefined) : TE.left(clusterProblem(`namespace ${namespace}`)(failure)),
        ({ items }) => TE.right(items),
      ),
    )

const byName = (items: Items): ReadonlyMap<string, ClusterObject> =>
  new Map(items.map((live) => [live.metadata.name, live]))

const readNamespace = (cluster: Cluster, namespace: string, now: string): TE.TaskEither<Diagnostic, NamespaceNow> => {
  const list = listing(cluster, namespace)
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
      const observed = new Map(all.map(({ items = [], kind }) => [kind, byName(items)]))
      return {
        environments: environmentsNow(observed, environmentsOf(records).environments, now),
        skipped: all.flatMap(({ items, kind }) => (items === undefined ? [kind] : [])),
      }
    }),
  )
}

export const serviceHandlers = ({ clock, cluster }: PlatformWorld): Handlers<'listServices'> => ({
  listServices: ({ caller: { user }, granted: { namespace } }) =>
    readNamespace(cluster.as({ user: accountOf(user.id) }), namespace.name, clock.date()),
})
