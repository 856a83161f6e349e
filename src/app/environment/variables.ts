/** Reads and writes the variables an environment keeps in the cluster. */

import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Failure, failureDiagnostic } from '../../domain/cluster/failure.ts'
import { labelOf } from '../../domain/cluster/live.ts'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import { recordName } from '../../domain/environment/record.ts'
import { type KeptVariables, readVariables, variablesBody } from '../../domain/environment/variables.ts'
import { ENVIRONMENT_LABEL } from '../../domain/k8s/labels.ts'
import { printJsonLine } from '../../domain/print/json.ts'
import type { Target } from '../context/target.ts'
import { ownKey } from './find-record.ts'

type RecordNamespace = Pick<Target, 'cluster' | 'namespace'>

export const loadVariables = (
  { cluster, namespace }: RecordNamespace,
  environment: string,
): TE.TaskEither<Failure, KeptVariables> =>
  pipe(cluster.get(ownKey('Secret', namespace, environment)), TE.map(readVariables))

export const saveVariables = async (
  { cluster, namespace }: RecordNamespace,
  environment: string,
  kept: KeptVariables,
): Promise<ReadonlyArray<Diagnostic>> => {
  const there = await cluster.get(ownKey('Secret', namespace, environment))()
  if (E.isRight(there) && there.right !== undefined && labelOf(there.right, ENVIRONMENT_LABEL) !== environment) {
    const message = `Secret/${recordName(environment)} exists and does not belong to the environment "${environment}"`
    return [
      error('DT3101', message, {
        help: 'the variables of the environment are stored there: rename or delete that Secret',
      }),
    ]
  }
  const body = printJsonLine(variablesBody(namespace, environment, kept))
  const saved = pipe(
    cluster.apply(ownKey('Secret', namespace, environment), body, { manager: 'devtool', force: true }),
    TE.match(
      (failure) => [failureDiagnostic(failure)],
      () => [],
    ),
  )
  return saved()
}
