/** Applies and deletes the platform's objects other than workloads, under the lock of its environment. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Failure, failureDiagnostic } from '../../domain/cluster/failure.ts'
import { type ClusterObject, labelOf } from '../../domain/cluster/live.ts'
import { type KnownKind, type ObjectKey, resources, showKey } from '../../domain/cluster/resources.ts'
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

/** What only reads. */
export type Reads = Pick<Writes, 'cluster' | 'signal'>

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

/** The same name is used in several namespaces. */
export const nameIn = (key: ObjectKey): string =>
  key.namespace === undefined ? showKey(key) : `${key.namespace}/${showKey(key)}`

export const whileHeld =
  ({ lock }: Pick<Writes, 'lock'>): Done =>
  async () => {
    const lost = await lock.check()
    return lost === undefined ? E.right(undefined) : E.left(lost)
  }

/** In order, since later items depend on earlier ones. */
export const eachWhileHeld = <A>(
  writes: Writes,
  items: ReadonlyArray<A>,
  write: (item: A) => TE.TaskEither<Failure, unknown>,
): Done =>
  pipe(
    TE.traverseSeqArray((item: A) => TE.flatMap(() => told(write(item)))(whileHeld(writes)))(items),
    TE.map(() => undefined),
  )

/** The live object: DT6302 when the name is in use by somebody else. */
export const ownLive = (
  { cluster, signal }: Reads,
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
  const options = { manager: MANAGER, force: true, signal }
  return pipe(
    TE.traverseSeqArray((object: PlatformObject) => ownLive(writes, object))(objects),
    TE.flatMap(() =>
      eachWhileHeld(writes, objects, (object) => cluster.apply(keyOf(object), printJsonLine(object), options)),
    ),
  )
}

/** Objects that are gone, or belong to somebody else, are left alone. */
export const removeObjects = (writes: Writes, objects: ReadonlyArray<PlatformObject>): Done => {
  const { cluster, signal } = writes
  return eachWhileHeld(writes, objects, (object) => {
    const key = keyOf(object)
    return pipe(
      cluster.get(key, signal),
      TE.flatMap((live) =>
        live === undefined || !isOurs(live)
          ? TE.right('Absent' as const)
          : cluster.remove(key, { uid: live.metadata.uid, propagation: 'Background', signal }),
      ),
    )
  })
}

/** An object of an installation, perhaps of another version. */
export type OwnObject = { readonly kind: KnownKind; readonly live: ClusterObject }

export const keyOfOwn = ({ kind, live: { metadata } }: OwnObject): ObjectKey => ({
  resource: resources[kind],
  name: metadata.name,
  ...defined({ namespace: metadata.namespace }),
})

/** By their label, in the order of the kinds. */
export const ownObjects = (
  { cluster, signal }: Reads,
  kinds: ReadonlyArray<KnownKind>,
): TE.TaskEither<Diagnostic, ReadonlyArray<OwnObject>> => {
  const labels = `${PLATFORM_LABEL}=${systemLabels[PLATFORM_LABEL]}`
  return pipe(
    TE.traverseSeqArray((kind: KnownKind) =>
      pipe(
        cluster.list({ resource: resources[kind], labels }, { signal }),
        TE.map(({ items }) => items.map((live) => ({ kind, live }))),
      ),
    )(kinds),
    TE.mapBoth(failureDiagnostic, (lists) => lists.flat()),
  )
}

/** Those that this version does not have. */
export const othersThan = (
  own: ReadonlyArray<OwnObject>,
  objects: ReadonlyArray<PlatformObject>,
): ReadonlyArray<OwnObject> => {
  const names = new Set(objects.map((object) => nameIn(keyOf(object))))
  return own.filter((object) => !names.has(nameIn(keyOfOwn(object))))
}

export const removeOwn = (writes: Writes, own: ReadonlyArray<OwnObject>): Done => {
  const { cluster, signal } = writes
  return eachWhileHeld(writes, own, (object) => {
    const { uid } = object.live.metadata
    return cluster.remove(keyOfOwn(object), { uid, propagation: 'Background', signal })
  })
}
