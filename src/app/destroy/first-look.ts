/** Looks for what there is to destroy, before the lock is taken. */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { keptDependencies } from '../../domain/destroy/findings.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import type { EnvironmentRecord } from '../../domain/environment/record.ts'
import { type FoundRecord, findRecord, findRecords, recordIn, recordNotes } from '../environment/find-record.ts'
import { looking, type SearchResult } from './look.ts'
import { unrunIn } from './records.ts'
import type { Destruction, Permission } from './request.ts'

/** The objects found before the lock was taken. */
export type FirstLook = Permission & { readonly looked: SearchResult }

/** The other environments that a dry run of `--all` lists. The search reports what could not be listed. */
const othersIn = ({
  environment,
  isDryRun,
  options,
  target,
}: Destruction): TE.TaskEither<Diagnostic, ReadonlyArray<EnvironmentRecord>> =>
  isDryRun && options.isAll
    ? pipe(
        findRecords(target),
        TE.match(
          () => [],
          ({ environments }) =>
            environments.flatMap(({ name, record }) => (name === environment ? [] : (record ?? []))),
        ),
        TE.fromTask,
      )
    : TE.right([])

/**
 * Without permission to read the record destroy ends, as it would under the lock; with an invalid record it goes on.
 */
export const firstLook = (destruction: Destruction): TE.TaskEither<Diagnostic, FirstLook> => {
  const { allow, commands, environment, isDryRun, options, signal, target } = destruction
  const look = (
    found: FoundRecord,
    others: ReadonlyArray<EnvironmentRecord>,
  ): TE.TaskEither<Diagnostic, SearchResult> => {
    const record = recordIn(found)
    const own = unrunIn([
      { environment, verdict: commands.judge(found._tag === 'Unreadable' ? found._tag : record, true) },
    ])
    const beside = unrunIn(
      others.map((other) => ({ environment: other.environment, verdict: commands.judgeOther(other) })),
    )
    const keepsRecords = new Set(isDryRun ? [...own.keepsRecords, ...beside.keepsRecords] : [])
    const kept = options.isAll ? [] : keptDependencies(environment, record?.dependencies, destruction.isTaken)
    return pipe(
      looking({ ...destruction, options: { ...options, keepsRecords } })(record),
      TE.map((looked) => ({
        ...looked,
        findings: [
          ...looked.findings,
          ...(isDryRun && looked.isThere ? [...own.findings, ...kept] : []),
          ...beside.findings,
          ...recordNotes(found),
        ],
      })),
    )
  }
  return pipe(
    findRecord(target, environment, signal),
    TE.flatMap((found) => (found._tag === 'Forbidden' ? TE.left(found.why) : TE.right(found))),
    TE.bindTo('found'),
    TE.bind('allowed', ({ found }) => allow(found)),
    TE.bind('others', () => othersIn(destruction)),
    TE.bind('looked', ({ found, others }) => look(found, others)),
    TE.map(({ allowed, looked }) => ({ ...allowed, looked })),
  )
}
