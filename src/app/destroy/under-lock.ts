/** Destroys environments while their locks are held. */
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { hasErrors } from '../../domain/checked.ts'
import { keptDependencies, unfinished } from '../../domain/destroy/findings.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import type { EnvironmentRecord } from '../../domain/environment/record.ts'
import { bounded } from '../concurrency/bounded.ts'
import { atMost, isTimeout, leavingMs } from '../concurrency/deadline.ts'
import { acquire, type Lock } from '../environment/lock.ts'
import type { Result } from '../result.ts'
import type { FirstLook } from './first-look.ts'
import { looking } from './look.ts'
import { noteIn, openRecords, unrunIn } from './records.ts'
import { type DestroyReport, reportOf } from './report.ts'
import type { DestroyPorts, Destruction } from './request.ts'
import { type Destroyed, destroyAll } from './run.ts'

/** Locks all environments that are to be destroyed, one after the other. */
export const lockAll =
  (
    ports: DestroyPorts,
    { breaksLock, lockWaitMs, target, signal }: Destruction,
    environments: ReadonlyArray<string>,
  ): TE.TaskEither<Diagnostic, Lock> =>
  async () => {
    const locks: Array<Lock> = []
    const release = async (): Promise<ReadonlyArray<string>> => {
      const kept = (await bounded(locks, (lock) => lock.release())).flat()
      for (const name of kept) {
        const text = `Lease/${name} stays, without a holder: not allowed to delete it`
        ports.progress.tell({ _tag: 'Said', text })
      }
      return kept
    }
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

/** Only commands that have not run are left of the environment. */
const emptied = { status: 'destroying', inventory: [], endpoints: [], services: [], edges: [] } as const

export const underLock = async (
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
  // After an interruption nothing is deleted, which the record states below.
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
