/** Creates one object, which must not exist yet. */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Failure, failureDiagnostic } from '../../domain/cluster/failure.ts'
import { type ClusterObject, isLive } from '../../domain/cluster/live.ts'
import { showKey } from '../../domain/cluster/resources.ts'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import type { Bound } from '../../domain/plan/action.ts'
import type { ApplyContext } from './apply.ts'

const explained = ({ target }: Bound<'Create'>, failure: Failure): Diagnostic =>
  failure._tag === 'Refused' && failure.reason === 'AlreadyExists'
    ? error('DT3103', `${showKey(target)} was created by something else in the meantime`, {
        help: 'run the command again',
      })
    : failureDiagnostic(failure)

/** DT3103 when the object exists by now; otherwise the server's error. */
export const createObject = (
  { cluster, isDryRun, namespace, signal }: ApplyContext,
  action: Bound<'Create'>,
): TE.TaskEither<ReadonlyArray<Diagnostic>, ClusterObject> => {
  const { manager, object, target } = action
  return pipe(
    cluster.create({ resource: target.resource, namespace }, object, { manager, isDryRun, signal }),
    TE.mapLeft((failure) => explained(action, failure)),
    TE.filterOrElse(isLive, () => error('DT3005', `${showKey(target)}: the server did not answer with the object`)),
    TE.mapLeft((found) => [found]),
  )
}
