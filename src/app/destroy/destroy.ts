/**
 * `destroy`: deletes everything an environment has in a namespace, found by its record, its labels and its Helm
 * releases. It can be run again at any time, from anywhere, and continues with what is left.
 */

import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { hasErrors } from '../../domain/checked.ts'
import type { CommandsInput, CommandsVerdict } from '../../domain/destroy/commands.ts'
import { keptDependencies, unconfirmed, unfinished } from '../../domain/destroy/findings.ts'
import type { Options } from '../../domain/destroy/plan.ts'
import { countText, type DestroyPreview, dataText } from '../../domain/destroy/show.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import { type EnvironmentRecord } from '../../domain/environment/record.ts'
import { defined } from '../../domain/object/defined.ts'
import type { Ports } from '../../ports/ports.ts'
import { bounded } from '../concurrency/bounded.ts'
import { atMost, isTimeout, leavingMs } from '../concurrency/deadline.ts'
import { withResource } from '../concurrency/resource.ts'
import type { Target } from '../context/target.ts'
import { elsewhereText } from '../environment/elsewhere.ts'
import { type FoundRecord, findRecord, findRecords, recordIn, recordNotes } from '../environment/find-record.ts'
import { acquire, type Lock } from '../environment/lock.ts'
import type { Result } from '../result.ts'
import { looking, type SearchResult } from './look.ts'
import { noteIn, openRecords, unrunIn } from './records.ts'
import { type Destroyed, destroyAll } from './run.ts'

export type DestroyPorts = Pick<Ports, 'clock' | 'machine' | 'progress' | 'prompt'>

/**
 * The destroy commands of the manifest; `run`: under the lock, before anything is deleted. `judgeOther`: of another
 * environment, which `--all` destroys as well.
 */
export type DestroyCommands = {
  readonly judge: (record: CommandsInput['record'], isThere: boolean) => CommandsVerdict
  readonly judgeOther: (record: EnvironmentRecord | undefined) => CommandsVerdict
  readonly run: TE.TaskEither<ReadonlyArray<Diagnostic>, void>
}

/** `warnings`: to go on with. `refusal`: why the record that is found under the lock must not be destroyed. */
export type Permission = {
  readonly warnings: ReadonlyArray<Diagnostic>
  readonly refusal: (record: EnvironmentRecord | undefined) => Diagnostic | undefined
}

export type Destruction = {
  readonly target: Target
  readonly environment: string
  readonly options: Options
  readonly isWaiting: boolean
  readonly isYes: boolean
  readonly isDryRun: boolean
  readonly breaksLock: boolean
  /** How long to wait for a holder of a lock that is alive. */
  readonly lockWaitMs: number
  /** The run ends with it: interrupted, or out of time (`reason` is `timeout`). */
  readonly signal: AbortSignal
  /** Whether it may be destroyed, given the record that was found first. */
  readonly allow: (found: FoundRecord) => TE.TaskEither<Diagnostic, Permission>
  readonly commands: DestroyCommands
  /** The environments that are destroyed in the same run. */
  readonly isTaken?: ReadonlySet<string>
}

/** What became of the objects; `Marked`: their deletion is not waited for. */
export type DestroyReport = DestroyPreview & {
  readonly state: 'Nothing' | 'Previewed' | 'Deleted' | 'Marked'
  readonly isAll: boolean
  /** Where there is such an environment, when there is none here. */
  readonly elsewhere?: string
  /** The dependencies that were destroyed as well. */
  readonly along?: ReadonlyArray<DestroyReport>
}

const reportOf = (
  { environment, options: { isAll }, target: { namespace } }: Destruction,
  { foreign, plan }: Pick<SearchResult, 'foreign' | 'plan'>,
  state: DestroyReport['state'],
): DestroyReport => ({ ...plan, foreign, environment, namespace, state, isAll })

const preview = (destruction: Destruction, looked: SearchResult): Result<DestroyReport> => ({
  // Objects in other namespaces are listed with the rest.
  findings: looked.findings.filter(({ code }) => code !== 'DT3305'),
  value: reportOf(destruction, looked, 'Previewed'),
})

/** Without a terminal, giving the flag confirms it. */
const answeredByFlag = ({ code }: Diagnostic): boolean => code === 'DT2101'

/**
 * Whether everything in the namespace, or the data in volumes, may go. DT2101 when nobody can be asked about everything,
 * DT3303 when the answer is no.
 */
const confirm = (
  { prompt }: DestroyPorts,
  { isYes, options, target: { context, namespace } }: Destruction,
  { plan }: SearchResult,
): Promise<ReadonlyArray<Diagnostic>> => {
  const data = dataText(plan)
  if (isYes || (!options.isAll && data === undefined)) return Promise.resolve([])
  const what = options.isAll ? `everything in namespace ${namespace} of ${context} (${countText(plan)})` : 'the data in'
  const text = `delete ${[what, data].filter(Boolean).join(options.isAll ? ', with the data in ' : ' ')}?`
  const refused = pipe(
    prompt.confirm({ text, flag: '--yes' }),
    TE.match(
      (why) => (!options.isAll && answeredByFlag(why) ? [] : [why]),
      (isConfirmed) => (isConfirmed ? [] : [unconfirmed(options.isAll ? `namespace ${namespace}` : 'the data')]),
    ),
  )
  return refused()
}

/** Locks all environments that are to be destroyed, one after the other. */
const lockAll =
  (
    ports: DestroyPorts,
    { breaksLock, lockWaitMs, target, signal }: Destruction,
    environments: ReadonlyArray<string>,
  ): TE.TaskEither<Diagnostic, Lock> =>
  async () => {
    const locks: Array<Lock> = []
    const release = async (): Promise<void> => void (await bounded(locks, (lock) => lock.release()))
    for (const environment of environments) {
      const lock = await acquire(ports)(target, environment, { breaks: breaksLock, waitsMs: lockWaitMs, signal })()
      if (E.isLeft(lock)) {
        await release()
        return E.left(signal.aborted ? unfinished([], isTimeout(signal)) : lock.left)
      }
      locks.push(lock.right)
    }
    const check = async (): Promise<Diagnostic | undefined> =>
      (await Promise.all(locks.map((lock) => lock.check()))).find((lost) => lost !== undefined)
    return E.right({ check, release })
  }

const report = (
  destruction: Destruction,
  { deleted, findings, isComplete, last }: Destroyed,
  found: ReadonlyArray<Diagnostic>,
): Result<DestroyReport> => {
  const all = [...findings, ...found]
  if (!isComplete) return { findings: all }
  const plan = { deletions: deleted, kept: last?.plan.kept ?? [] }
  const state = destruction.isWaiting ? 'Deleted' : 'Marked'
  return { findings: all, value: reportOf(destruction, { plan, foreign: last?.foreign ?? [] }, state) }
}

/** What was found before the lock was taken. */
type FirstLook = Permission & { readonly looked: SearchResult }

/** Nothing is left of the environment but the commands that have not run. */
const emptied = { status: 'destroying', inventory: [], endpoints: [], services: [], edges: [] } as const

const underLock = async (
  ports: DestroyPorts,
  destruction: Destruction,
  { looked, refusal }: FirstLook,
  { environments, lock }: { readonly environments: ReadonlyArray<string>; readonly lock: Lock },
): Promise<Result<DestroyReport>> => {
  const { commands, environment, isWaiting, options, target, signal } = destruction
  const { clock, progress } = ports
  const opened = await openRecords(ports, { target, lock, signal }, environments)()
  if (E.isLeft(opened)) return { findings: [opened.left] }
  const records = opened.right
  const own = records.filter((one) => one.environment === environment)
  const record = own[0]?.recordStore?.previous
  const refused = refusal(record)
  if (refused !== undefined) return { findings: [refused] }
  const unread = records.flatMap((one) => one.unread)
  const leave = (some: typeof records, change: Partial<EnvironmentRecord>) =>
    atMost(clock, leavingMs(signal), (late) => noteIn(some, change, late))
  const isUnreadable = own.some(({ recordStore }) => recordStore === undefined)
  const verdict = commands.judge(isUnreadable ? 'Unreadable' : record, looked.isThere)
  const ran = verdict._tag === 'Run' ? await commands.run() : E.right(undefined)
  if (E.isLeft(ran)) {
    await leave(own, { status: 'error' })
    return { findings: [...ran.left, ...unread] }
  }
  // After an interruption nothing is deleted, and the record says so below.
  const unwritten = await noteIn(records, { status: 'destroying' }, signal)
  if (hasErrors(unwritten) && !signal.aborted) return { findings: unwritten }
  const { findings: unrun, keepsRecords } = unrunIn(
    records.map((one) => {
      const isOwn = one.environment === environment
      return {
        environment: one.environment,
        verdict: isOwn ? verdict : commands.judgeOther(one.recordStore?.previous),
      }
    }),
  )
  const look = looking({ ...destruction, options: { ...options, keepsRecords } })
  const run = { target, clock, progress, lock, signal, isWaiting, look: look(record) }
  const destroyed = await destroyAll(run)
  if (!destroyed.isComplete) await leave(records, { status: 'error' })
  else
    await leave(
      records.filter((one) => keepsRecords.has(one.environment)),
      emptied,
    )
  const dependencies = options.isAll ? [] : keptDependencies(environment, record?.dependencies, destruction.isTaken)
  return report(destruction, destroyed, [...unrun, ...dependencies, ...unread])
}

/** The other environments that a dry run of `--all` has to tell of. What may not be listed is said by the search. */
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
const firstLook = (destruction: Destruction): TE.TaskEither<Diagnostic, FirstLook> => {
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

/**
 * Status 0 when there is nothing to destroy. DT3303 and DT2101 unconfirmed, DT3110 and DT3111 the lock, DT3301 and
 * DT3302 out of time, DT3308 objects recreated by others, and what the cluster refuses; DT3304 to DT3307 are warnings.
 */
export const destroy =
  (ports: DestroyPorts) =>
  async (destruction: Destruction): Promise<Result<DestroyReport>> => {
    const { environment, isDryRun, options, signal } = destruction
    const first = await firstLook(destruction)()
    if (signal.aborted) return { findings: [unfinished([], isTimeout(signal))] }
    if (E.isLeft(first)) return { findings: [first.left] }
    const { looked, warnings } = first.right
    const told = (result: Result<DestroyReport>): Result<DestroyReport> => ({
      ...result,
      findings: [...warnings, ...result.findings],
    })
    if (isDryRun) return told(preview(destruction, looked))
    if (looked.plan.deletions.length === 0) {
      const elsewhere = options.isAll ? undefined : await elsewhereText(destruction.target, environment, signal)
      const value = { ...reportOf(destruction, looked, 'Nothing'), ...defined({ elsewhere }) }
      return told({ findings: looked.findings, value })
    }
    const refused = await confirm(ports, destruction, looked)
    if (refused.length > 0) return told({ findings: refused })
    const environments = options.isAll ? [...new Set([environment, ...looked.environments])] : [environment]
    const outcome = await withResource(
      lockAll(ports, destruction, environments),
      (lock) => TE.fromTask(() => underLock(ports, destruction, first.right, { environments, lock })),
      (lock) => () => atMost(ports.clock, leavingMs(signal), lock.release),
    )()
    if (E.isLeft(outcome)) return told({ findings: [outcome.left] })
    ports.progress.end()
    return told(outcome.right)
  }
