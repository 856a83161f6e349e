/** Applies and deletes the platform's objects other than workloads, under the lock of its environment. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Failure, failureDiagnostic } from '../../domain/cluster/failure.ts'
import { type ClusterObject, labelOf } from '../../domain/cluster/live.ts'
import { type ObjectKey, resources, showKey } from '../../domain/cluster/resources.ts'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import { PLATFORM_LABEL } from '../../domain/k8s/labels.ts'
import { defined } from '../../domain/object/defined.ts'
import { systemLabels } from '../../domain/platform/manifests/rights.ts'
import type { PlatformObject } from '../../domain/platform/manifests/types.ts'
import { printJsonLine } from '../../domain/print/json.ts'
import type { Cluster } from '../../ports/cluster.ts'
import { MANAGER } from '../actions/apply.ts'
import type { Lock } from '../environment/lock.ts'

type Done = TE.TaskEither<Diagnostic, void>

/** `lock`: nothing is written once it is lost. */
export type Writes = { readonly cluster: Cluster; readonly lock: Pick<Lock, 'check'>; readonly signal: AbortSignal }

export const keyOf = ({ kind, metadata: { name, namespace } }: PlatformObject): ObjectKey => ({
  resource: resources[kind],
  name,
  ...defined({ namespace }),
})

const isOurs = (live: ClusterObject): boolean => labelOf(live, PLATFORM_LABEL) === systemLabels[PLATFORM_LABEL]

const foreign = (key: ObjectKey): Diagnostic =>
  error('DT6302', `${showKey(key)} exists and belongs to something else`, {
    help: 'the platform needs this name: rename or delete the object first',
  })

const told = TE.mapLeft(failureDiagnostic)

/** In order, since later items depend on earlier ones. */
const each = <A>(items: ReadonlyArray<A>, run: (item: A) => Done): Done =>
  pipe(
    TE.traverseSeqArray(run)(items),
    TE.map(() => undefined),
  )

export const whileHeld =
  ({ lock }: Pick<Writes, 'lock'>): Done =>
  async () => {
    const lost = await lock.check()
    return lost === undefined ? E.right(undefined) : E.left(lost)
  }

/** The live object: DT6302 when the name is in use by somebody else. */
export const ownLive = (
  { cluster, signal }: Pick<Writes, 'cluster' | 'signal'>,
  object: PlatformObject,
): TE.TaskEither<Diagnostic, ClusterObject | undefined> => {
  const key = keyOf(object)
  return pipe(
    told(cluster.get(key, signal)),
    TE.filterOrElse(
      (live) => live === undefined || isOurs(live),
      () => foreign(key),
    ),
  )
}

/** DT6302, before anything is written, when a name is in use by somebody else. */
export const applyObjects = (writes: Writes, objects: ReadonlyArray<PlatformObject>): Done => {
  const { cluster, signal } = writes
  const apply = (object: PlatformObject): Done =>
    pipe(
      whileHeld(writes),
      TE.flatMap(() =>
        told(cluster.apply(keyOf(object), printJsonLine(object), { manager: MANAGER, force: true, signal })),
      ),
      TE.map(() => undefined),
    )
  return pipe(
    each(objects, (object) =>
      pipe(
        ownLive(writes, object),
        TE.map(() => undefined),
      ),
    ),
    TE.flatMap(() => each(objects, apply)),
  )
}

/** Objects that are gone, or belong to somebody else, are left alone. */
export const removeObjects = (writes: Writes, objects: ReadonlyArray<PlatformObject>): Done => {
  const { cluster, signal } = writes
  const remove = (object: PlatformObject): TE.TaskEither<Failure, unknown> => {
    const key = keyOf(object)
    return pipe(
      cluster.get(key, signal),
      TE.flatMap((live) =>
        live === undefined || !isOurs(live)
          ? TE.right('Absent' as const)
          : cluster.remove(key, { uid: live.metadata.uid, propagation: 'Background', signal }),
      ),
    )
  }
  return each(objects, (object) =>
    pipe(
      whileHeld(writes),
      TE.flatMap(() => told(remove(object))),
      TE.map(() => undefined),
    ),
  )
}
