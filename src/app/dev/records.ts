/** The records of the development containers of a namespace. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Failure, failureDiagnostic } from '../../domain/cluster/failure.ts'
import { at } from '../../domain/cluster/json.ts'
import type { ClusterObject } from '../../domain/cluster/live.ts'
import { resources } from '../../domain/cluster/resources.ts'
import { mirrorSelector, UP_SELECTOR } from '../../domain/dev/names.ts'
import { type DevRecord, recordOf } from '../../domain/dev/record.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import { defined } from '../../domain/object/defined.ts'
import { leftsOf } from '../../domain/object/lefts.ts'
import type { Target } from '../context/target.ts'

export type FoundDev = { readonly record: DevRecord; readonly live: ClusterObject }

/** `findings`: about those that cannot be read. */
export type FoundDevs = { readonly devs: ReadonlyArray<FoundDev>; readonly findings: ReadonlyArray<Diagnostic> }

const foundIn = (lives: ReadonlyArray<ClusterObject>): FoundDevs => {
  const read = lives
    .filter((live) => at(live, 'data', 'record') !== undefined)
    .map((live) => E.map((record: DevRecord): FoundDev => ({ record, live }))(recordOf(live)))
  return {
    devs: read.flatMap((one) => (E.isRight(one) ? [one.right] : [])),
    findings: leftsOf(read),
  }
}

export const findDevs = (
  { cluster, namespace }: Pick<Target, 'cluster' | 'namespace'>,
  signal: AbortSignal,
): TE.TaskEither<Diagnostic, FoundDevs> =>
  pipe(
    cluster.list({ resource: resources.ConfigMap, namespace, labels: UP_SELECTOR }, { signal }),
    TE.mapBoth(failureDiagnostic, ({ items }) => foundIn(items)),
  )

/** The pods of a development container, including those that are ending. */
export const podsOf = (
  { cluster, namespace }: Pick<Target, 'cluster' | 'namespace'>,
  { mirror }: Pick<DevRecord, 'mirror'>,
  signal?: AbortSignal,
): TE.TaskEither<Failure, ReadonlyArray<ClusterObject>> =>
  pipe(
    cluster.list({ resource: resources.Pod, namespace, labels: mirrorSelector(mirror) }, defined({ signal })),
    TE.map(({ items }) => items),
  )
