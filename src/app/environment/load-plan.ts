/** Reads the plan of an earlier deployment. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { failureDiagnostic } from '../../domain/cluster/failure.ts'
import { resources } from '../../domain/cluster/resources.ts'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import type { PlannedEntry } from '../../domain/environment/history.ts'
import { planName, readPlan, type StoredPlan } from '../../domain/environment/stored-plan.ts'
import type { Target } from '../context/target.ts'

/** DT3142 when its Secret is gone, DT3143 when it cannot be used, and what the cluster refuses. */
export const loadPlan = (
  { cluster, namespace }: Pick<Target, 'cluster' | 'namespace'>,
  environment: string,
  { number, plan }: PlannedEntry,
  signal?: AbortSignal,
): TE.TaskEither<Diagnostic, StoredPlan> => {
  const name = planName(environment, plan)
  return pipe(
    cluster.get({ resource: resources.Secret, namespace, name }, signal),
    TE.mapLeft(failureDiagnostic),
    TE.flatMapEither((secret) =>
      secret === undefined
        ? E.left(
            error('DT3142', `the plan of deployment ${number} of "${environment}" is not kept`, {
              help: `somebody deleted the Secret ${name}; \`devtool history\` lists the others`,
            }),
          )
        : readPlan(secret, environment, namespace),
    ),
  )
}
