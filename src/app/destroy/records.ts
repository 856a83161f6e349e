/** The records of the environments that are destroyed: that of one, or with `--all` those of the namespace. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type CommandsVerdict, notRunIn } from '../../domain/destroy/commands.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import type { EnvironmentRecord } from '../../domain/environment/record.ts'
import { leftsOf } from '../../domain/object/lefts.ts'
import type { Ports } from '../../ports/ports.ts'
import { bounded } from '../concurrency/bounded.ts'
import type { Target } from '../context/target.ts'
import { asNote } from '../environment/find-record.ts'
import type { Lock } from '../environment/lock.ts'
import { openRecordStore, type RecordStore } from '../environment/record-store.ts'

/** `recordStore`: absent when the record is invalid (`unread`), which must not prevent destroy. */
export type OpenedRecord = {
  readonly environment: string
  readonly recordStore: RecordStore | undefined
  readonly unread: ReadonlyArray<Diagnostic>
}

type RecordAccess = { readonly target: Target; readonly lock: Lock; readonly signal: AbortSignal }

const openRecord =
  (ports: Pick<Ports, 'clock' | 'machine'>, { lock, signal, target }: RecordAccess) =>
  (environment: string): TE.TaskEither<Diagnostic, OpenedRecord> =>
    pipe(
      openRecordStore(ports)(target, environment, lock, signal),
      TE.map((recordStore): OpenedRecord => ({ environment, recordStore, unread: [] })),
      TE.orElse((why) =>
        why.code === 'DT3113' ? TE.right({ environment, recordStore: undefined, unread: [asNote(why)] }) : TE.left(why),
      ),
    )

export const openRecords = (
  ports: Pick<Ports, 'clock' | 'machine'>,
  place: RecordAccess,
  environments: ReadonlyArray<string>,
): TE.TaskEither<Diagnostic, ReadonlyArray<OpenedRecord>> => {
  const open = openRecord(ports, place)
  return async () => E.sequenceArray(await bounded(environments, (environment) => open(environment)()))
}

/** Updates the records that are kept of the environments. */
export const noteIn = async (
  opened: ReadonlyArray<Pick<OpenedRecord, 'recordStore'>>,
  change: Partial<EnvironmentRecord>,
  signal?: AbortSignal,
): Promise<ReadonlyArray<Diagnostic>> => {
  const write = async ({ recordStore }: Pick<OpenedRecord, 'recordStore'>): Promise<ReadonlyArray<Diagnostic>> => {
    if (recordStore?.previous === undefined) return []
    return leftsOf([await recordStore.write(change, signal)()])
  }
  return (await bounded(opened, write)).flat()
}

/** The commands that do not run, and the environments whose records are kept because of them. */
export const unrunIn = (
  judged: ReadonlyArray<{ readonly environment: string; readonly verdict: CommandsVerdict }>,
): { readonly findings: ReadonlyArray<Diagnostic>; readonly keepsRecords: ReadonlySet<string> } => {
  const all = judged.map(({ environment, verdict }) => ({ environment, ...notRunIn(verdict) }))
  return {
    findings: all.flatMap(({ findings }) => findings),
    keepsRecords: new Set(all.filter(({ keepsRecord }) => keepsRecord).map(({ environment }) => environment)),
  }
}
