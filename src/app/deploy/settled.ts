/** A deploy without changes. */
import { liveOf } from '../../domain/cluster/live.ts'
import { deployActions, developedNotices } from '../../domain/dev/deployed.ts'
import { type Bound, partition } from '../../domain/plan/action.ts'
import { pruneActions } from '../../domain/plan/prune.ts'
import { type ReconcileInput, sharedActions } from '../../domain/plan/reconcile.ts'
import { isUnchanged } from '../../domain/plan/unchanged.ts'
import { MANAGER } from '../actions/apply.ts'
import { isFresh } from '../environment/early-look.ts'
import { type Executed, nothingDone } from './executed.ts'
import type { Run } from './request.ts'
import { tellUnchanged } from './service-progress.ts'

export const situationOf = (
  run: Pick<Run, 'plan' | 'observed' | 'jobs' | 'isWaiting'>,
  written: Executed['written'],
): ReconcileInput => {
  const versions = new Map(
    [...(run.observed.get('Secret') ?? [])].map(([name, live]) => [name, live.metadata.resourceVersion] as const),
  )
  const newClaims = new Set<string>()
  for (const { isNew, live, object } of written) {
    if (object.kind === 'Secret') versions.set(live.metadata.name, live.metadata.resourceVersion)
    if (object.kind === 'PersistentVolumeClaim' && isNew) newClaims.add(live.metadata.name)
  }
  const { isWaiting, observed, plan, jobs } = run
  return { plan, observed, versions, newClaims, jobs, isWaiting }
}

/**
 * For each action the object that it would write, which already exists; `undefined` when an action would change
 * anything.
 */
const unchangedIn = ({ observed }: Run, actions: ReadonlyArray<Bound>): Executed['written'] | undefined => {
  const { Apply } = partition(actions)
  if (Apply.length < actions.length) return undefined
  const found: Array<Executed['written'][number]> = []
  for (const { object, precondition } of Apply) {
    const live = liveOf(observed, object.kind, object.metadata.name)
    if (live === undefined || precondition._tag !== 'Exists') return undefined
    if (!isUnchanged(object, live, MANAGER)) return undefined
    found.push({ object, live, isNew: false })
  }
  return found
}

/**
 * The result when everything in the cluster and in the record is as planned: nothing has to be sent, deleted, run or
 * awaited.
 */
export const settled = (run: Run): Executed | undefined => {
  const { before, isPartial, observed, plan, ports, recordStore, signal } = run
  const isDeployed = recordStore.now().status === 'deployed'
  if (!isDeployed || before !== undefined || signal.aborted || !isFresh(ports.clock, run.observedMs)) return undefined
  const situation = situationOf(run, [])
  const wanted = [...sharedActions(situation), ...deployActions(situation)]
  const written = unchangedIn(run, isPartial ? wanted : [...wanted, ...pruneActions(run)])
  if (written === undefined) return undefined
  tellUnchanged(
    ports,
    written.map(({ object }) => object),
  )
  return { ...nothingDone, written, findings: developedNotices(plan, observed) }
}
