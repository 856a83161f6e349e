/** `history`: the last deployments of an environment, or the plan of one. */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import { findEntry, type HistoryList } from '../../domain/environment/history.ts'
import type { EnvironmentRecord } from '../../domain/environment/record.ts'
import type { StoredPlan } from '../../domain/environment/stored-plan.ts'
import type { Target } from '../context/target.ts'
import { findRecord, readable, recordIn } from '../environment/find-record.ts'
import { loadPlan } from '../environment/load-plan.ts'
import { answer, type Result } from '../result.ts'

type HistoryOf = {
  readonly target: Pick<Target, 'cluster' | 'namespace'>
  readonly environment: string
  readonly signal: AbortSignal
}

const recordOf = ({ environment, signal, target }: HistoryOf): TE.TaskEither<Diagnostic, EnvironmentRecord> =>
  pipe(
    findRecord(target, environment, signal),
    TE.flatMapEither(readable),
    TE.flatMap((found) => {
      const record = recordIn(found)
      const none = error('DT3407', `there is no environment "${environment}" in namespace ${target.namespace}`, {
        help: '`devtool list` lists the environments, `devtool deploy` creates one',
      })
      return record === undefined ? TE.left(none) : TE.right(record)
    }),
  )

/** The newest first. Finds DT3407, and what the cluster refuses. */
export const listHistory = (wanted: HistoryOf): Promise<Result<HistoryList>> => {
  const { environment, target } = wanted
  const work = pipe(
    recordOf(wanted),
    TE.map(({ history = [] }) => ({
      findings: [],
      value: { environment, namespace: target.namespace, deployments: history.toReversed() },
    })),
  )
  return answer(work)
}

export type PastDeployment = StoredPlan & { readonly number: number }

/** Finds DT3141, DT3142, DT3143, DT3407, and what the cluster refuses. */
export const findDeployment = (wanted: HistoryOf, number: number): Promise<Result<PastDeployment>> => {
  const { environment, signal, target } = wanted
  const work = pipe(
    recordOf(wanted),
    TE.flatMapEither(({ history = [] }) => findEntry(environment, history, number)),
    TE.flatMap((entry) => loadPlan(target, environment, entry, signal)),
    TE.map((stored) => ({ findings: [], value: { ...stored, number } })),
  )
  return answer(work)
}
