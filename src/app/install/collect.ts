/** `platform gc`: deletes what the platform keeps and nobody needs any more. */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { failureDiagnostic, isAbsent, isConflict } from '../../domain/cluster/failure.ts'
import type { ClusterObject } from '../../domain/cluster/live.ts'
import { type KnownKind, resources } from '../../domain/cluster/resources.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import { PLATFORM_LABEL } from '../../domain/k8s/labels.ts'
import { defined } from '../../domain/object/defined.ts'
import { ACCESS_SELECTOR, TENANT_SELECTOR } from '../../domain/platform/access.ts'
import { type Garbage, garbageIn, showGarbage } from '../../domain/platform/gc/garbage.ts'
import { USERS_NAMESPACE } from '../../domain/platform/names.ts'
import { RUN_SELECTOR } from '../../domain/platform/run/record.ts'
import type { Selection } from '../../ports/cluster.ts'
import type { Ports } from '../../ports/ports.ts'
import { askYes } from '../ask-yes.ts'
import type { Target } from '../context/target.ts'
import { answerAll, asFindings, type Result } from '../result.ts'
import { findInstalled } from './found.ts'
import { withPlatformLock } from './locked.ts'
import { type Writes, whileHeld } from './objects.ts'

/** `isConfirmed`: skips the question. */
export type CollectRequest = {
  readonly target: Pick<Target, 'cluster'>
  readonly isDryRun: boolean
  readonly isConfirmed: boolean
  readonly signal: AbortSignal
}

/** `deleted`: of what was found, none in a dry run. What was changed meanwhile is left. */
export type CollectedGarbage = {
  readonly found: ReadonlyArray<Garbage>
  readonly deleted: ReadonlyArray<Garbage>
  readonly isDryRun: boolean
}

type CollectPorts = Pick<Ports, 'clock' | 'machine' | 'progress' | 'prompt'>

const of = (kind: KnownKind, more: Omit<Selection, 'resource'>): Selection => ({ resource: resources[kind], ...more })

/** Users last: whoever is created meanwhile is among them. */
const find = (
  { clock }: Pick<CollectPorts, 'clock'>,
  { signal, target: { cluster } }: CollectRequest,
): TE.TaskEither<Diagnostic, ReadonlyArray<Garbage>> => {
  const list = (
    selection: Selection,
    isMetadataOnly = false,
  ): TE.TaskEither<Diagnostic, ReadonlyArray<ClusterObject>> =>
    pipe(
      cluster.list(selection, { isMetadataOnly, signal }),
      TE.mapBoth(failureDiagnostic, ({ items }) => items),
    )
  const labels = `${PLATFORM_LABEL} in (token,login)`
  return pipe(
    findInstalled(cluster, signal),
    TE.flatMap(() => list(of('Namespace', { labels: TENANT_SELECTOR }))),
    TE.bindTo('namespaces'),
    TE.bind('bindings', () => list(of('RoleBinding', { labels: ACCESS_SELECTOR }))),
    TE.bind('secrets', () => list(of('Secret', { namespace: USERS_NAMESPACE, labels }))),
    TE.bind('runs', () => list(of('ConfigMap', { labels: RUN_SELECTOR }), true)),
    TE.bind('users', () => list(of('ServiceAccount', { namespace: USERS_NAMESPACE }), true)),
    TE.map((kept) => garbageIn(kept, clock.date())),
  )
}

/** Deletes only what is as it was found. */
const remove = (writes: Writes, one: Garbage): TE.TaskEither<Diagnostic, ReadonlyArray<Garbage>> => {
  const { cluster, signal } = writes
  const { kind, metadata } = one.live
  const { name, namespace, resourceVersion, uid } = metadata
  const resource = Object.values(resources).find((known) => known.kind === kind)
  if (resource === undefined) return TE.right([])
  return pipe(
    whileHeld(writes),
    TE.flatMap(() =>
      pipe(
        cluster.remove(
          { resource, name, ...defined({ namespace }) },
          { uid, resourceVersion, propagation: 'Background', signal },
        ),
        TE.map(() => [one]),
        TE.orElse((failure) =>
          isAbsent(failure) || isConflict(failure) ? TE.right([]) : TE.left(failureDiagnostic(failure)),
        ),
      ),
    ),
  )
}

/** DT6306 when there is no platform, DT3116 when it is not confirmed. */
export const collect =
  (ports: CollectPorts) =>
  (request: CollectRequest): Promise<Result<CollectedGarbage>> => {
    const { isConfirmed, isDryRun, signal, target } = request
    const { cluster } = target
    const ask = (found: ReadonlyArray<Garbage>): TE.TaskEither<Diagnostic, true> => {
      if (isConfirmed) return TE.right(true)
      for (const one of found) ports.progress.tell({ _tag: 'Said', text: showGarbage(one) })
      const text = `delete ${found.length === 1 ? 'this object' : `these ${found.length} objects`}?`
      return askYes(ports.prompt, { text, flag: '--yes', signal })
    }
    const carriedOut = (found: ReadonlyArray<Garbage>): TE.TaskEither<ReadonlyArray<Diagnostic>, CollectedGarbage> => {
      if (isDryRun || found.length === 0) return TE.right({ found, deleted: [], isDryRun })
      return pipe(
        ask(found),
        asFindings,
        TE.flatMap(() =>
          withPlatformLock(ports, request, (lock) =>
            asFindings(TE.traverseSeqArray((one: Garbage) => remove({ cluster, lock, signal }, one))(found)),
          ),
        ),
        TE.map((deleted) => ({ found, deleted: deleted.flat(), isDryRun })),
      )
    }
    return answerAll(
      pipe(
        asFindings(find(ports, request)),
        TE.flatMap(carriedOut),
        TE.map((value) => ({ findings: [], value })),
      ),
    )
  }
