/** Changes single fields of an existing object, and only of the object that was read. */
import { pipe } from 'fp-ts/lib/function.js'
import * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Failure } from '../../domain/cluster/failure.ts'
import type { ClusterObject } from '../../domain/cluster/live.ts'
import { showKey } from '../../domain/cluster/resources.ts'
import { type Diagnostic, warning } from '../../domain/diagnostic/diagnostic.ts'
import { needsLook, patchBody, patchFindings, type ReadyPatch } from '../../domain/plan/patch.ts'
import { printJsonLine } from '../../domain/print/json.ts'
import type { AppliedObject } from '../../ports/cluster.ts'
import type { ApplyContext } from './apply.ts'

type Patched = { readonly live: ClusterObject; readonly findings: ReadonlyArray<Diagnostic> }

type PatchedObject = Pick<AppliedObject, 'object' | 'warnings'>

const unwarned = (object: ClusterObject): PatchedObject => ({ object, warnings: [] })

/**
 * DT3102 for fields of another manager, DT3103 when another object or version is there by now, DT3132 for warnings;
 * otherwise the server's error.
 */
export const patchObject = (
  { cluster, isDryRun, namespace, signal }: ApplyContext,
  action: ReadyPatch,
): TE.TaskEither<ReadonlyArray<Diagnostic>, Patched> => {
  const { fields, manager, target } = action
  const key = { namespace, ...target }
  const [body, options] = [patchBody(action), { manager, isDryRun, signal }]
  const sent: TE.TaskEither<Failure, PatchedObject> =
    fields.strategy === 'merge'
      ? TE.map(unwarned)(cluster.merge(key, body, options))
      : cluster.apply(key, printJsonLine(body), { ...options, force: fields.force })
  const there = pipe(
    cluster.get(key, signal),
    TE.getOrElse((): T.Task<ClusterObject | undefined> => T.of(undefined)),
  )
  const explained = (failure: Failure): TE.TaskEither<ReadonlyArray<Diagnostic>, Patched> =>
    pipe(
      TE.rightTask(needsLook(failure) ? there : T.of(undefined)),
      TE.flatMap((live) => TE.left(patchFindings(action, failure, live))),
    )
  return pipe(
    sent,
    TE.map(({ object: live, warnings }) => ({
      live,
      findings: warnings.map((text) => warning('DT3132', `${showKey(target)}: ${text}`)),
    })),
    TE.orElse(explained),
  )
}
