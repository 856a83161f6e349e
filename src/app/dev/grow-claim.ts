/**
 * Expands the claim of a development container when its section requests a larger size. A failure does not prevent
 * development.
 */
import { pipe } from 'fp-ts/lib/function.js'
import type { Task } from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Failure, failureDiagnostic, serverWords } from '../../domain/cluster/failure.ts'
import type { ClusterObject } from '../../domain/cluster/live.ts'
import { resources } from '../../domain/cluster/resources.ts'
import { largerSize, notGrown } from '../../domain/dev/claim-changes.ts'
import { hasClaim } from '../../domain/dev/mirror-claims.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import { UP_MANAGER } from '../../domain/k8s/managers.ts'
import type { DevContainer } from '../../domain/manifest/dev-model.ts'
import type { Target } from '../context/target.ts'

/** Finds DT3105. */
export const growClaim = (
  { cluster, namespace }: Pick<Target, 'cluster' | 'namespace'>,
  dev: DevContainer,
  mirror: string,
  signal: AbortSignal,
): Task<ReadonlyArray<Diagnostic>> => {
  if (!hasClaim(dev) || dev.persistentVolume.size === undefined) return () => Promise.resolve([])
  const key = { resource: resources.PersistentVolumeClaim, namespace, name: mirror }
  const grow = (live: ClusterObject): TE.TaskEither<Diagnostic, unknown> => {
    const storage = largerSize(live, dev)
    if (storage === undefined) return TE.right(undefined)
    const body = { metadata: { uid: live.metadata.uid }, spec: { resources: { requests: { storage } } } }
    return pipe(
      cluster.merge(key, body, { manager: UP_MANAGER, signal }),
      TE.mapLeft((failure: Failure) => notGrown(live, dev, serverWords(failure) ?? failureDiagnostic(failure).message)),
    )
  }
  return pipe(
    cluster.get(key, signal),
    TE.mapLeft(failureDiagnostic),
    TE.flatMap((live) => (live === undefined ? TE.right(undefined) : grow(live))),
    TE.match(
      (found): ReadonlyArray<Diagnostic> => [{ ...found, severity: 'warning' }],
      () => [],
    ),
  )
}
