/**
 * `deploy`: reads the cluster, refuses to change objects of others, records the objects to be created, creates them,
 * waits, deletes those that are no longer in the file, and updates the record.
 */

import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { hasErrors } from '../../domain/checked.ts'
import { type Failure, failureDiagnostic } from '../../domain/cluster/failure.ts'
import { type Observed, withLives } from '../../domain/cluster/live.ts'
import { type KnownKind, showKey } from '../../domain/cluster/resources.ts'
import { deployActions, deployRefusals, developedNotices } from '../../domain/dev/deployed.ts'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import { edgesOf } from '../../domain/environment/edges.ts'
import { lastPlanned } from '../../domain/environment/history.ts'
import { plannedEntries, withoutPlanned } from '../../domain/environment/inventory.ts'
import { type EnvironmentRecord, type InventoryEntry, unionOf } from '../../domain/environment/record.ts'
import type { KubeObject } from '../../domain/k8s/types.ts'
import { defined } from '../../domain/object/defined.ts'
import { leftsOf } from '../../domain/object/lefts.ts'
import { type Bound, partition, refOf, showRef } from '../../domain/plan/action.ts'
import { pruneActions } from '../../domain/plan/prune.ts'
import { sharedActions } from '../../domain/plan/reconcile.ts'
import { atMost, isTimeout, leavingMs } from '../concurrency/deadline.ts'
import { withResource } from '../concurrency/resource.ts'
import { holds, look, type Seen } from '../environment/early-look.ts'
import { acquire, type Lock } from '../environment/lock.ts'
import { lookOf } from '../environment/namespace-objects.ts'
import { openRecordStore, type RecordStore } from '../environment/record-store.ts'
import { asFindings } from '../result.ts'
import { watchEnvironment } from '../watch/watch.ts'
import { close } from './close.ts'
import { execute } from './execute.ts'
import { both, type Executed, nothingDone } from './executed.ts'
import { explainFailure } from './failed.ts'
import { goBack } from './go-back.ts'
import { awaitMade, madeCauses, watchedKinds } from './made.ts'
import { type Deployed, type DeployPorts, type DeployRequest, type Run } from './request.ts'
import { makeServiceProgress, type ServiceProgress } from './service-progress.ts'
import { settled, situationOf } from './settled.ts'
import { unserved } from './unserved.ts'

/** Kinds whose objects may exist without being in the plan, because controllers of another kind create them. */
const makers: Partial<Record<KnownKind, KnownKind>> = { ReplicaSet: 'Deployment', PersistentVolumeClaim: 'StatefulSet' }

/** Kinds that neither the plan nor the namespace has are not watched. */
const kindsToWatch = ({ isWaiting, plan }: DeployRequest, observed: Observed): ReadonlyArray<KnownKind> => {
  const planned = new Set<KnownKind>(partition(plan.actions).Apply.map(({ object: { kind } }) => kind))
  const isThere = (kind: KnownKind): boolean => planned.has(kind) || (observed.get(kind)?.size ?? 0) > 0
  const isNeeded = (kind: KnownKind): boolean => {
    const maker = makers[kind]
    return kind === 'Pod' || kind === 'Event' || isThere(kind) || (maker !== undefined && isThere(maker))
  }
  const isPublic = isWaiting && planned.has('Ingress')
  return [...watchedKinds.filter(isNeeded), ...(isPublic ? (['EndpointSlice'] as const) : [])]
}

const nothing = (findings: ReadonlyArray<Diagnostic>): Deployed => ({ findings, endpoints: [], record: undefined })

const carryOut = (
  run: Run,
  progress: ServiceProgress,
  actions: ReadonlyArray<Bound>,
  applied: ReadonlyArray<KubeObject>,
  observed: Observed = run.observed,
): Promise<Executed> => {
  const { failsFast, force, lock, plan, ports, target, signal, watching } = run
  const { cluster, namespace } = target
  const { environment } = plan
  const writing = { cluster, clock: ports.clock, namespace, environment, force, isDryRun: false, signal }
  const before = { applied, observed, observedMs: run.observedMs }
  return execute({ writing, lock, watching, progress, failsFast }, actions, before)
}

/** Says why objects are deleted or recreated, before it happens. */
const announce = ({ ports: { progress } }: Run, actions: ReadonlyArray<Bound>): void => {
  const { Apply, Delete } = partition(actions)
  const applied = new Set(Apply.map(({ object }) => showRef(refOf(object))))
  for (const { because, target } of Delete) {
    const what = applied.has(showKey(target)) ? 'recreated' : 'deleted'
    progress.tell({ _tag: 'Said', text: `${showKey(target)} will be ${what}: ${because}` })
  }
}

/** Objects that pods read come first; everything else depends on the result. */
const apply = async (run: Run): Promise<Executed> => {
  const situation = situationOf(run, [])
  const preview = [...sharedActions(situation), ...deployActions(situation)]
  const progress = makeServiceProgress(run.ports, preview)
  const shared = await carryOut(run, progress, sharedActions(situation), [])
  if (!shared.isComplete) {
    progress.skipRest('not started')
    return shared
  }
  const remaining = deployActions(situationOf(run, shared.written))
  announce(run, remaining)
  const objects = partition(run.plan.actions).Apply.map(({ object }) => object)
  const lives = shared.written.map(({ live }) => live)
  const rest = await carryOut(run, progress, remaining, objects, withLives(run.observed, lives))
  if (!rest.isComplete) progress.skipRest('no longer waited for')
  return both(shared, rest)
}

const prune = (run: Run): Promise<Executed> => {
  const { observed, plan, switchedOff } = run
  const deletions = pruneActions({ plan, observed, switchedOff })
  return carryOut(run, makeServiceProgress(run.ports, []), deletions, [])
}

/** The record at the beginning of the run. */
const beginning = ({ plan, recorded, recordStore, settings, source, ...run }: Run): Partial<EnvironmentRecord> => {
  const { edges = [], inventory: known, services = [] } = recordStore.now()
  return {
    source,
    ...recorded,
    settings,
    services: [...new Set([...services, ...run.services])],
    edges: edgesOf(plan, edges),
    inventory: unionOf(known, plannedEntries(plan)),
  }
}

const begin = async (run: Run): Promise<ReadonlyArray<Diagnostic>> => {
  const { ports, recordStore, signal } = run
  const written = await recordStore.write({ status: 'progressing', ...beginning(run) }, run.signal)()
  if (E.isLeft(written)) return [written.left]
  const made = await run.before?.(run.signal)
  if (made === undefined) return []
  const { foreign, inventory } = recordStore.now()
  const change = { inventory: unionOf(inventory, made.inventory), foreign: unionOf(foreign, made.foreign) }
  // Without the signal of the run: what commands created is recorded in any case.
  const noted = await atMost(ports.clock, leavingMs(signal), (late) => recordStore.write(change, late)())
  return noted === undefined ? made.findings : [...made.findings, ...leftsOf([noted])]
}

/** Objects that commands created, in this run or before; without waiting they do not matter. */
const madeIn = ({ before, isWaiting, plan, recordStore }: Run): ReadonlyArray<InventoryEntry> =>
  before === undefined || !isWaiting ? [] : withoutPlanned(recordStore.now().inventory, plan)

/** Commands and dependencies take time, and may change objects that were observed before. */
const lookAgain = (run: Run): TE.TaskEither<ReadonlyArray<Diagnostic>, Run> => {
  const { before, plan, ports, signal, target } = run
  if (before === undefined || signal.aborted) return TE.right(run)
  return pipe(
    look(ports.clock, target, lookOf(plan), signal),
    TE.map((seen): Run => ({ ...run, ...seen })),
    // After the signal nothing more is written.
    TE.orElse((failure) => (signal.aborted ? TE.right(run) : TE.left([failureDiagnostic(failure)]))),
    TE.flatMapEither((again) => {
      const refused = deployRefusals(again)
      return refused.length > 0 ? E.left(refused) : E.right(again)
    }),
  )
}

const proceed = async (run: Run): Promise<Deployed> => {
  const sinceMs = run.ports.clock.now()
  const done = settled(run)
  if (done !== undefined) {
    run.recordStore.note(beginning(run))
    return close(run, done, !run.isPartial, sinceMs)
  }
  const stopped = (findings: ReadonlyArray<Diagnostic>): Promise<Deployed> =>
    close(run, { ...nothingDone, findings, isComplete: false }, false, sinceMs)
  const findings = [...developedNotices(run.plan, run.observed), ...(await begin(run))]
  if (hasErrors(findings)) return stopped(findings)
  return pipe(
    lookAgain(run),
    TE.matchE(
      (refused) => () => stopped([...findings, ...refused]),
      (again) => () => bringAbout(again, { ...nothingDone, findings }, sinceMs),
    ),
  )()
}

/** With `--atomic`, the deploy is rolled back automatically. */
const explain = (run: Run, executed: Executed): Promise<ReadonlyArray<Diagnostic>> => {
  const earlier = run.isAtomic ? undefined : lastPlanned(run.recordStore.previous?.history ?? [])
  return explainFailure({ ...run, ...defined({ earlier: earlier?.number }) }, executed)
}

const bringAbout = async (run: Run, begun: Executed, sinceMs: number): Promise<Deployed> => {
  const { isPartial } = run
  const done = both(begun, await apply(run))
  if (!done.isComplete) {
    const causes = [...(await madeCauses(run, madeIn(run))), ...(await explain(run, done))]
    const findings = [...causes, ...done.findings]
    return close(run, { ...done, findings }, false, sinceMs)
  }
  const awaited = both(done, await awaitMade(run, madeIn(run)))
  if (!awaited.isComplete) return close(run, awaited, false, sinceMs)
  const applied: Executed = { ...awaited, findings: [...awaited.findings, ...(await unserved(run))] }
  if (isPartial) return close(run, applied, false, sinceMs)
  const pruned = await prune(run)
  const unpruned = pruned.isComplete ? [] : await explain(run, pruned)
  const ended = both(applied, { ...pruned, findings: [...unpruned, ...pruned.findings] })
  return close(run, ended, pruned.isComplete, sinceMs)
}

const deployUnderLock = async (
  ports: DeployPorts,
  deployment: DeployRequest,
  lock: Lock,
  recordStore: RecordStore,
  { observed, observedMs }: Seen,
): Promise<Deployed> => {
  const { plan, target, signal } = deployment
  const foreign = deployment.refusal(recordStore.previous)
  if (foreign !== undefined) return nothing([foreign])
  const refused = deployRefusals({ plan, observed })
  if (refused.length > 0) return nothing(refused)
  const stopped = new AbortController()
  const watching = watchEnvironment(
    { clock: ports.clock, cluster: target.cluster },
    { environment: plan.environment, kinds: kindsToWatch(deployment, observed), namespace: target.namespace },
    AbortSignal.any([signal, stopped.signal]),
  )
  const run: Run = { ...deployment, ports, lock, recordStore, observed, observedMs, watching }
  const ending = async (): Promise<Deployed> => {
    try {
      return await proceed(run)
    } finally {
      stopped.abort()
    }
  }
  const ended = await ending()
  const isWanted = deployment.isAtomic && hasErrors(ended.findings) && !deployment.interrupted.aborted
  if (!isWanted || (await lock.check()) !== undefined) return ended
  return goBack(run, ended, (earlier, now) => deployUnderLock(ports, earlier, lock, recordStore, now))
}

/** Runs with the lock held. Checks everything before anything is changed: DT3101 and DT3105 end the deploy here. */
export const deployLocked = (ports: DeployPorts, deployment: DeployRequest, lock: Lock): T.Task<Deployed> => {
  const { early, plan, target, signal } = deployment
  const now = look(ports.clock, target, lookOf(plan), signal)
  const seenIn = ({ found }: RecordStore): TE.TaskEither<Failure, Seen> =>
    early !== undefined && holds(ports.clock, early, found, plan) ? TE.orElse(() => now)(early.seen) : now
  const opened = pipe(
    openRecordStore(ports)(target, plan.environment, lock, signal, early?.before),
    TE.bindTo('recordStore'),
    early === undefined
      ? TE.apS('seen', TE.mapLeft(failureDiagnostic)(now))
      : TE.bind('seen', ({ recordStore }) => TE.mapLeft(failureDiagnostic)(seenIn(recordStore))),
  )
  return pipe(
    TE.Do,
    TE.apS('opened', asFindings(opened)),
    TE.apS('isWoken', target.keptAwake?.(signal) ?? TE.of(false)),
    TE.flatMap(({ isWoken, opened: { recordStore, seen } }) =>
      pipe(
        isWoken ? asFindings(TE.mapLeft(failureDiagnostic)(now)) : TE.of(seen),
        TE.map((current) => ({ recordStore, current })),
      ),
    ),
    TE.matchE(
      (why) => T.of(nothing(why)),
      ({ current, recordStore }) =>
        () =>
          deployUnderLock(ports, deployment, lock, recordStore, current),
    ),
  )
}

/** `why`: what it was waiting for. */
const unstarted = (signal: AbortSignal, why: Diagnostic): ReadonlyArray<Diagnostic> => [
  isTimeout(signal)
    ? error('DT3120', 'timed out before anything was done', { help: 'use --timeout to wait longer' })
    : error('DT3121', 'interrupted before anything was done'),
  ...(why.code === 'DT3110' ? [why] : []),
]

/** Holds the environment's lock from the first read to the last write. */
export const deployPlan =
  (ports: DeployPorts) =>
  async (deployment: DeployRequest): Promise<Deployed> => {
    const { breaksLock, lockWaitMs, plan, target, signal } = deployment
    const deployed = pipe(
      withResource(
        acquire(ports)(target, plan.environment, { breaks: breaksLock, waitsMs: lockWaitMs, signal }),
        (lock) => TE.fromTask(deployLocked(ports, deployment, lock)),
        (lock) => () => atMost(ports.clock, leavingMs(signal), lock.release),
      ),
      TE.tapIO(() => ports.progress.end),
      TE.getOrElse((found) => T.of(nothing(signal.aborted ? unstarted(signal, found) : [found]))),
    )
    return deployed()
  }
