/** A deploy that has nothing to do. */
import { liveOf } from '../../domain/cluster/live.ts'
import { deployActions, developedNotices } from '../../domain/dev/deployed.ts'
import { partition } from '../../domain/plan/action.ts'
import { pruneActions } from '../../domain/plan/prune.ts'
import { type ReconcileInput, sharedActions } from '../../domain/plan/reconcile.ts'
import { isUnchanged } from '../../domain/plan/unchanged.ts'
import { bodyOf, MANAGER } from '../actions/apply.ts'
import { isFresh } from '../environment/early-look.ts'
import { type Executed, nothingDone } from './executed.ts'
import type { Run } from './request.ts'
import { makeServiceProgress, serviceOf } from './service-progress.ts'

export const situationOf = (run: Run, written: Executed['written']): ReconcileInput => {
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
 * What is there, when all of it is as the plan wants it and the record says so: nothing has to be sent, deleted, run or
 * waited for.
 */
const unchangedIn = (run: Run): Executed['written'] | undefined => {
  const { before, isPartial, observed, ports, recordStore, signal } = run
  const isDeployed = recordStore.now().status === 'deployed'
  if (!isDeployed || before !== undefined || signal.aborted || !isFresh(ports.clock, run.observedMs)) return undefined
  const situation = situationOf(run, [])
  const actions = [...sharedActions(situation), ...deployActions(situation), ...(isPartial ? [] : pruneActions(run))]
  const { Apply } = partition(actions)
  if (Apply.length < actions.length) return undefined
  const found: Array<Executed['written'][number]> = []
  for (const { object, precondition } of Apply) {
    const live = liveOf(observed, object.kind, object.metadata.name)
    if (live === undefined || precondition._tag !== 'Exists') return undefined
    if (!isUnchanged(bodyOf(object), live, MANAGER)) return undefined
    found.push({ object, live, isNew: false })
  }
  return found
}

/** What is there already, when nothing has to be done. */
export const settled = (run: Run): Executed | undefined => {
  const written = unchangedIn(run)
  if (written === undefined) return undefined
  const situation = situationOf(run, [])
  const progress = makeServiceProgress(run.ports, [...sharedActions(situation), ...deployActions(situation)])
  for (const { object } of written) progress.unchanged(serviceOf(object))
  return { ...nothingDone, written, findings: developedNotices(run.plan, run.observed) }
}
