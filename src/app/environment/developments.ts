/** The records and mirrors of the development containers in a namespace, for commands that only look at them. */
import { pipe } from 'fp-ts/lib/function.js'
import * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { ClusterObject, Observed } from '../../domain/cluster/live.ts'
import { resources } from '../../domain/cluster/resources.ts'
import { UP_SELECTOR } from '../../domain/dev/names.ts'
import type { Target } from '../context/target.ts'

/** Objects that may not be read are left out. */
export const developmentObjects = async (
  { cluster, namespace }: Pick<Target, 'cluster' | 'namespace'>,
  kinds: ReadonlyArray<'ConfigMap' | 'Deployment'> = ['ConfigMap', 'Deployment'],
): Promise<Observed> => {
  const lists = await Promise.all(
    kinds.map((kind) =>
      pipe(
        cluster.list({ resource: resources[kind], namespace, labels: UP_SELECTOR }),
        TE.map(({ items }) => items),
        TE.getOrElse(() => T.of<ReadonlyArray<ClusterObject>>([])),
      )(),
    ),
  )
  return new Map(
    kinds.map((kind, index) => [kind, new Map((lists[index] ?? []).map((live) => [live.metadata.name, live]))]),
  )
}
