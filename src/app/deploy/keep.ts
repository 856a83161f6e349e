/** Keeps the history of an environment: an entry for each deployment, and the plans of the successful ones. */
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Failure, failureDiagnostic, isConflict } from '../../domain/cluster/failure.ts'
import { liveOf } from '../../domain/cluster/live.ts'
import { type ObjectKey, resources } from '../../domain/cluster/resources.ts'
import { type Diagnostic, warning } from '../../domain/diagnostic/diagnostic.ts'
import {
  droppedPlans,
  type HistoryEntry,
  lastPlanned,
  listedImages,
  nextNumber,
  type ObjectCounts,
  remembered,
} from '../../domain/environment/history.ts'
import { planBody, planName, planText } from '../../domain/environment/stored-plan.ts'
import { SERVICE_LABEL } from '../../domain/k8s/labels.ts'
import { defined } from '../../domain/object/defined.ts'
import { partition } from '../../domain/plan/action.ts'
import { isWorkload } from '../../domain/plan/versions.ts'
import { bounded } from '../concurrency/bounded.ts'
import { atMost, leavingMs } from '../concurrency/deadline.ts'
import type { Executed } from './executed.ts'
import type { Run } from './request.ts'

const MANAGER = { manager: 'devtool' }

const workloadsIn = ({ plan }: Run) =>
  partition(plan.actions).Apply.flatMap(({ object }) => (isWorkload(object) ? [object] : []))

const countsOf = ({ observed }: Run, { written }: Executed, deleted: number): ObjectCounts => {
  const existing = written.flatMap(({ live, object }) => {
    const before = liveOf(observed, object.kind, object.metadata.name)
    return before === undefined ? [] : [before.metadata.resourceVersion !== live.metadata.resourceVersion]
  })
  return { created: written.length - existing.length, changed: existing.filter(Boolean).length, deleted }
}

const keyOf = ({ plan: { environment }, target: { namespace } }: Run, number: number): ObjectKey => ({
  resource: resources.Secret,
  namespace,
  name: planName(environment, number),
})

const unkept = ({ plan: { environment } }: Run, number: number, why: string): Diagnostic =>
  warning('DT3142', `the plan of deployment ${number} of "${environment}" is not kept: ${why}`, {
    help: '`rollback` and `deploy --atomic` cannot go back to this deployment',
  })

/** A Secret with this name was left behind by a run that could not write its record. */
const store = async (run: Run, number: number, text: string, signal: AbortSignal): Promise<Diagnostic | undefined> => {
  const { lock, target } = run
  const { cluster, namespace } = target
  const body = planBody(namespace, number, text, { ...run, switchedOff: [...run.switchedOff] })
  if (body === undefined) return unkept(run, number, 'it is larger than a Secret may be')
  const lost = await lock.check()
  if (lost !== undefined) return undefined
  const create = cluster.create({ resource: resources.Secret, namespace }, body, { ...MANAGER, signal })
  const first = await create()
  if (first._tag === 'Right') return undefined
  if (!isConflict(first.left)) return unkept(run, number, failureDiagnostic(first.left).message)
  await cluster.remove(keyOf(run, number), { propagation: 'Background', signal })()
  const second = TE.match(
    (failure: Failure) => unkept(run, number, failureDiagnostic(failure).message),
    () => undefined,
  )(create)
  return second()
}

/** The number under which the plan is kept. A plan equal to that of an earlier deployment is not stored again. */
const keepPlan = async (
  run: Run,
  number: number,
  history: ReadonlyArray<HistoryEntry>,
): Promise<Pick<HistoryEntry, 'hash' | 'plan'> & { readonly findings: ReadonlyArray<Diagnostic> }> => {
  const text = planText(run.plan)
  const sha256 = await run.ports.machine.sha256()
  const hash = sha256(text)
  const last = lastPlanned(history)
  if (last?.hash === hash) return { hash, plan: last.plan, findings: [] }
  const found = await atMost(run.ports.clock, leavingMs(run.signal), (late) => store(run, number, text, late))
  return found === undefined ? { hash, plan: number, findings: [] } : { hash, findings: [found] }
}

/** `isGood`: the deployment succeeded. `deleted`: how many objects were deleted because the file no longer has them. */
export const nextHistory = async (
  run: Run,
  executed: Executed,
  { deleted, isGood }: { readonly deleted: number; readonly isGood: boolean },
): Promise<{ readonly history: ReadonlyArray<HistoryEntry>; readonly findings: ReadonlyArray<Diagnostic> }> => {
  const { isPartial, ports, purpose, recordStore, source } = run
  const { history = [] } = recordStore.now()
  if (purpose._tag === 'Undo') return { history, findings: [] }
  const number = nextNumber(history)
  const { findings, ...kept } =
    isGood && !isPartial ? await keepPlan(run, number, history) : { findings: [], hash: undefined, plan: undefined }
  const workloads = workloadsIn(run)
  const services = workloads.map(({ metadata: { labels, name } }) => labels?.get(SERVICE_LABEL) ?? name)
  const entry: HistoryEntry = {
    number,
    when: ports.clock.date(),
    who: ports.machine.who,
    status: isGood ? 'deployed' : 'error',
    changes: countsOf(run, executed, deleted),
    source,
    images: listedImages(workloads.flatMap(({ spec }) => spec.template.spec.containers.map(({ image }) => image))),
    ...(isPartial ? { services: [...new Set(services)] } : {}),
    ...(purpose._tag === 'Rollback' ? { rollbackTo: purpose.to } : {}),
    ...defined(kept),
  }
  return { history: remembered([...history, entry]), findings }
}

/** Deletes plans that the record no longer refers to. Any that remain are deleted by destroy. */
export const forgetPlans = async (run: Run, before: ReadonlyArray<HistoryEntry>): Promise<void> => {
  const { ports, recordStore, signal: ended, target } = run
  const dropped = droppedPlans(before, recordStore.now().history ?? [])
  await atMost(ports.clock, leavingMs(ended), (late) =>
    bounded(dropped, (number) => {
      const signal = AbortSignal.any([ended, late])
      return target.cluster.remove(keyOf(run, number), { propagation: 'Background', signal })()
    }),
  )
}
