/**
 * A plan, seen against what is in the cluster: its actions with their preconditions, and the deletions that they need. In two
 * steps, because the second depends on what the first did: what pods read (ConfigMaps, Secrets, claims), then all the rest.
 */

import { allOf, type ClusterObject, labelOf, liveOf, type Observed } from '../cluster/live.ts'
import { showKey } from '../cluster/resources.ts'
import type { Diagnostic } from '../diagnostic/diagnostic.ts'
import { CONFIG_ANNOTATION, SERVICE_LABEL } from '../k8s/labels.ts'
import type { KubeObject, Workload } from '../k8s/types.ts'
import {
  type Action,
  type ActionTarget,
  type Bound,
  type Exists,
  fold,
  partition,
  type Ref,
  refOf,
  showRef,
  targetOf,
} from './action.ts'
import { withAllBefore } from './before.ts'
import { bindApply, bindDeletion, existing } from './bind.ts'
import { claimFindings } from './claims.ts'
import { awaitId } from './ids.ts'
import { rerunReason } from './jobs.ts'
import { onNewClaims } from './new-claims.ts'
import { isKept, isTranslated, ownershipFindings } from './ownership.ts'
import { notThere } from './patch.ts'
import type { Plan } from './plan.ts'
import { type Replacement, replacementOf } from './replace.ts'
import { isWorkload, type Versions, withVersions } from './versions.ts'

/**
 * `observed`: the objects of the namespace that have our names or labels. `newClaims`: names of claims made in this run.
 * `isWaiting`: the end is waited for, not only what depends_on says.
 */
export type ReconcileInput = {
  readonly plan: Plan
  readonly observed: Observed
  readonly versions: Versions
  readonly newClaims: ReadonlySet<string>
  readonly rerunsJobs: boolean
  readonly isWaiting: boolean
}

type Wanted = Action<'Apply'>
type Change = Action<'Scale' | 'Patch'>

const isShared = ({ kind }: KubeObject): boolean =>
  kind === 'ConfigMap' || kind === 'Secret' || kind === 'PersistentVolumeClaim'

const seen = (observed: Observed, { name, resource }: ActionTarget): ClusterObject | undefined =>
  liveOf(observed, resource.kind, name)

type Looked = Pick<ReconcileInput, 'plan' | 'observed'>

const applyRefusals = ({ plan, observed }: Looked, { object, origins }: Wanted): ReadonlyArray<Diagnostic> => {
  const ref = refOf(object)
  const live = liveOf(observed, ref.kind, ref.name)
  const foreign = ownershipFindings(live, plan.environment, showRef(ref), origins)
  if (foreign.length > 0 || live === undefined || object.kind !== 'PersistentVolumeClaim') return foreign
  return claimFindings(live, object, origins)
}

/** The plan applies the object before it changes it. */
const isAppliedBefore = (plan: Plan, { after, target }: Change): boolean => {
  const before = withAllBefore(plan, after)
  const name = showKey(target)
  return partition(plan.actions).Apply.some(({ id, object }) => before.has(id) && showRef(refOf(object)) === name)
}

const changeRefusals = ({ plan, observed }: Looked, verb: string, change: Change): ReadonlyArray<Diagnostic> => {
  if (isAppliedBefore(plan, change)) return []
  const { target } = change
  const live = seen(observed, target)
  return live === undefined ? [notThere(verb, target)] : ownershipFindings(live, plan.environment, showKey(target), [])
}

/**
 * Before anything is touched: DT3101 (somebody else's), DT3105 (a claim cannot become what is wanted), DT3005 (what is to be
 * changed does not exist, and the plan does not create it first).
 */
export const refusals = (looked: Looked): ReadonlyArray<Diagnostic> =>
  looked.plan.actions.flatMap(
    fold<ReadonlyArray<Diagnostic>>({
      Apply: (action) => applyRefusals(looked, action),
      Delete: ({ target }) =>
        ownershipFindings(seen(looked.observed, target), looked.plan.environment, showKey(target), []),
      Await: () => [],
      Scale: (action) => changeRefusals(looked, 'scale', action),
      Patch: (action) => changeRefusals(looked, 'patch', action),
    }),
  )

/** Gone first, then made anew. */
const replaced = (wanted: Wanted, deletions: ReadonlyArray<Bound<'Delete'>>): ReadonlyArray<Bound> => [
  ...deletions,
  { ...bindApply(wanted, undefined), after: [...wanted.after, ...deletions.map(({ id }) => id)] },
]

const isGoing = ({ metadata }: ClusterObject): boolean => metadata.deletionTimestamp !== undefined

/** What pods read. Never replaced: a claim that is on its way out is waited for by its pods. */
export const sharedActions = ({ plan, observed }: ReconcileInput): ReadonlyArray<Bound> =>
  partition(plan.actions)
    .Apply.filter(({ object }) => isShared(object))
    .map((wanted) => bindApply(wanted, liveOf(observed, wanted.object.kind, wanted.object.metadata.name)))

const workloadKinds = ['Deployment', 'StatefulSet', 'DaemonSet', 'Job'] as const

type Workloads = ReadonlyArray<{ readonly ref: Ref; readonly live: ClusterObject }>

/** `byRef`: as `kind/name`. `former`: by service, workloads of ours that the plan no longer has. `fresh`: `onNewClaims`. */
type Indexed = ReconcileInput & {
  readonly wanted: ReadonlyArray<Wanted>
  readonly byRef: ReadonlyMap<string, Wanted>
  readonly former: ReadonlyMap<string | undefined, Workloads>
  readonly fresh: ReadonlySet<string>
}

const formerIn = ({ observed, plan }: ReconcileInput, byRef: Indexed['byRef']): Indexed['former'] => {
  const former = new Map<string | undefined, Array<Workloads[number]>>()
  for (const kind of workloadKinds) {
    for (const live of allOf(observed, kind)) {
      const ref: Ref = { kind, name: live.metadata.name }
      if (!isTranslated(live, plan.environment) || isKept(live) || byRef.has(showRef(ref))) continue
      const service = labelOf(live, SERVICE_LABEL)
      const known = former.get(service)
      if (known === undefined) former.set(service, [{ ref, live }])
      else known.push({ ref, live })
    }
  }
  return former
}

const indexed = (situation: ReconcileInput): Indexed => {
  const wanted = partition(situation.plan.actions).Apply
  const byRef = new Map(wanted.map((one) => [showRef(refOf(one.object)), one]))
  return { ...situation, wanted, byRef, former: formerIn(situation, byRef), fresh: onNewClaims(situation) }
}

/** The same service as another kind of workload: its pods would be taken for those of the new one. */
const formerKinds = ({ former }: Indexed, { after, object }: Wanted): ReadonlyArray<Bound<'Delete'>> => {
  if (!isWorkload(object)) return []
  return (former.get(object.metadata.labels?.get(SERVICE_LABEL)) ?? []).map(({ live, ref }) =>
    bindDeletion(targetOf(ref), live, { propagation: 'Foreground', because: `it becomes a ${object.kind}` }, after),
  )
}

/** A Job that is there runs again, or is left as it is. */
const jobActions = (situation: Indexed, wanted: Wanted, job: Workload & { kind: 'Job' }, live: ClusterObject) => {
  const because = rerunReason(live, job, {
    isForced: situation.rerunsJobs,
    // The annotation was given the versions of Secrets already.
    config: job.spec.template.metadata.annotations?.get(CONFIG_ANNOTATION),
    hasNewClaim: situation.fresh.has(wanted.id),
  })
  if (because === undefined && !isGoing(live)) return []
  const reason: Replacement = { propagation: 'Foreground', because: because ?? 'it is being deleted' }
  return replaced(wanted, [bindDeletion(targetOf(refOf(job)), live, reason, wanted.after)])
}

const actionsFor = (situation: Indexed, given: Wanted): ReadonlyArray<Bound> => {
  const object = withVersions(given.object, situation.versions)
  const wanted: Wanted = { ...given, object }
  const former = formerKinds(situation, wanted)
  const live = liveOf(situation.observed, object.kind, object.metadata.name)
  if (live === undefined) return replaced(wanted, former)
  if (object.kind === 'Job') return [...former, ...jobActions(situation, wanted, object, live)]
  const reason: Replacement | undefined = isGoing(live)
    ? { propagation: 'Background', because: 'it is being deleted' }
    : replacementOf(live, object)
  if (reason === undefined) {
    return [...former, { ...bindApply(wanted, live), after: [...wanted.after, ...former.map(({ id }) => id)] }]
  }
  return replaced(wanted, [...former, bindDeletion(targetOf(refOf(object)), live, reason, wanted.after)])
}

/** The end of every workload, beside what depends_on asks for. */
const endsOf = ({ isWaiting, wanted }: Indexed): ReadonlyArray<Bound<'Await'>> =>
  wanted.flatMap(({ id, object }): ReadonlyArray<Bound<'Await'>> => {
    if (!isWaiting || !isWorkload(object)) return []
    const ref = refOf(object)
    const service = object.metadata.labels?.get(SERVICE_LABEL) ?? ref.name
    return [{ _tag: 'Await', id: awaitId(service, 'available'), after: [id], ref, condition: 'available', service }]
  })

const under = <P>(precondition: P | undefined, bound: (precondition: P) => Bound): ReadonlyArray<Bound> =>
  precondition === undefined ? [] : [bound(precondition)]

/** Actions that stand for themselves: on what is there, and what is waited for. What is absent is deleted already. */
const othersOf = ({ observed, plan }: ReconcileInput): ReadonlyArray<Bound> => {
  const there = ({ target }: Action<'Delete'> | Change): Exists | undefined => {
    const live = seen(observed, target)
    return live === undefined ? undefined : existing(live)
  }
  const startOf = (change: Change): Bound<Change['_tag']>['precondition'] | undefined =>
    isAppliedBefore(plan, change) ? { _tag: 'Applied' } : there(change)
  return plan.actions.flatMap(
    fold<ReadonlyArray<Bound>>({
      Apply: () => [],
      Delete: (action) => under(there(action), (precondition) => ({ ...action, precondition })),
      Await: (action) => [action],
      Scale: (action) => under(startOf(action), (precondition) => ({ ...action, precondition })),
      Patch: (action) => under(startOf(action), (precondition) => ({ ...action, precondition })),
    }),
  )
}

/** Everything but what pods read, and what is waited for. */
export const remainingActions = (given: ReconcileInput): ReadonlyArray<Bound> => {
  const situation = indexed(given)
  return [
    ...situation.wanted.filter(({ object }) => !isShared(object)).flatMap((wanted) => actionsFor(situation, wanted)),
    ...othersOf(situation),
    ...endsOf(situation),
  ]
}
