/**
 * `platform restore`: creates the objects of a backup that are missing in the cluster. It acts as the platform's own
 * account, so that the admission policies restrict the file as they restrict the platform.
 */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { failureDiagnostic } from '../../domain/cluster/failure.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import { readBackup } from '../../domain/platform/backup/file.ts'
import type { KeptObject } from '../../domain/platform/backup/objects.ts'
import { restorationOf, strangersIn } from '../../domain/platform/backup/restoration.ts'
import { readInstallation } from '../../domain/platform/manifests/read-installation.ts'
import { API_ACCOUNT } from '../../domain/platform/manifests/rights.ts'
import { SYSTEM_NAMESPACE, USERS_NAMESPACE } from '../../domain/platform/names.ts'
import type { Ports } from '../../ports/ports.ts'
import type { Target } from '../context/target.ts'
import { MANAGER } from '../platform/world.ts'
import { answerAll, asFindings, type Result } from '../result.ts'
import { findInstalled } from './found.ts'
import { withPlatformLock } from './locked.ts'
import { type Writes, whileHeld } from './objects.ts'
import { platformObjects } from './platform-objects.ts'
import { readText } from './text-file.ts'

type RestorePorts = Pick<Ports, 'clock' | 'files' | 'machine' | 'progress'>

export type RestoreRequest = {
  readonly target: Pick<Target, 'cluster'>
  readonly file: string
  readonly signal: AbortSignal
}

/** `there`: how many objects existed already. */
export type Restored = { readonly created: ReadonlyArray<KeptObject>; readonly there: number }

/** Runs under the lock. Objects created before a failure are kept: the next run continues with the rest. */
const carryOut = (
  ports: Pick<Ports, 'progress'>,
  writes: Writes,
  backup: ReadonlyArray<KeptObject>,
): TE.TaskEither<ReadonlyArray<Diagnostic>, Restored> => {
  const { cluster, signal } = writes
  const platform = cluster.as({ user: `system:serviceaccount:${SYSTEM_NAMESPACE}:${API_ACCOUNT}` })
  const create = ({ key, object }: KeptObject): TE.TaskEither<Diagnostic, void> => {
    // The only objects that the platform's account may not write.
    const isOfTenant = key.resource.kind === 'Secret' && key.namespace !== USERS_NAMESPACE
    const writer = isOfTenant ? cluster : platform
    return pipe(
      whileHeld(writes),
      TE.flatMap(() => TE.mapLeft(failureDiagnostic)(writer.create(key, object, { manager: MANAGER, signal }))),
      TE.map(() => undefined),
    )
  }
  return pipe(
    asFindings(platformObjects(cluster, 'all', signal)),
    TE.map((live) => restorationOf(backup, live)),
    TE.filterOrElse(
      ({ conflicts }) => conflicts.length === 0,
      ({ conflicts }) => conflicts,
    ),
    TE.tapIO(
      ({ missing }) =>
        () =>
          ports.progress.tell({ _tag: 'Said', text: `creating ${missing.length} objects` }),
    ),
    TE.tap(({ missing }) => asFindings(TE.traverseSeqArray(create)(missing))),
    TE.map(({ missing, there }) => ({ created: missing, there })),
  )
}

/** DT6308 when the file is not a backup. */
export const backupIn = (
  ports: Pick<Ports, 'files'>,
  file: string,
): TE.TaskEither<ReadonlyArray<Diagnostic>, ReadonlyArray<KeptObject>> =>
  pipe(
    readText(ports, file),
    TE.flatMapEither((text) => {
      const read = readBackup(file, text)
      return read._tag === 'Right' ? E.right(read.right) : E.left(read.left)
    }),
  )

/** DT6308 and DT6309 before anything is written, DT6306 when there is no platform; finds DT6310. */
export const restore =
  (ports: RestorePorts) =>
  (request: RestoreRequest): Promise<Result<Restored>> => {
    const { file, signal, target } = request
    const { cluster } = target
    return answerAll(
      pipe(
        backupIn(ports, file),
        TE.bindTo('backup'),
        TE.bind('installed', () => asFindings(findInstalled(cluster, signal))),
        TE.flatMap(({ backup, installed }) =>
          pipe(
            withPlatformLock(ports, request, (lock) => carryOut(ports, { cluster, lock, signal }, backup)),
            TE.map((value) => ({ findings: strangersIn(backup, readInstallation(installed).issuer), value })),
          ),
        ),
      ),
    )
  }
