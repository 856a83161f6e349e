/**
 * Compares a plan with the cluster: binds each action to its precondition and adds the deletions it needs. This takes
 * two steps, because the second depends on the result of the first: first what pods read (ConfigMaps, Secrets, claims),
 * then everything else.
 */

import { allOf, type ClusterObject, labelOf, liveOf, type Observed } from '../cluster/live.ts'
import { showKey, workloadKinds } from '../cluster/resources.ts'
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
import { leftStopped } from './held.ts'
import { awaitId } from './ids.ts'
import { type JobRule, rerunReason } from './jobs.ts'
import { onNewClaims } from './new-claims.ts'
import { isKept, isTranslated, ownershipFindings } from './ownership.ts'
import { notThere } from './patch.ts'
import type { Plan } from './plan.ts'
import { type Replacement, replacementOf } from './replace.ts'
import { isWorkload, type Versions, withVersions } from './versions.ts'

/**
 * `observed`: objects of the namespace with our names or labels. `newClaims`: names of claims created in this run.
 * `isWaiting`: wait for every workload, not only where depends_on requires it. `held`: workloads that must stay
 * stopped, as `kind/name`.
 */
export type ReconcileInput = {
  readonly plan: Plan
  readonly observed: Observed
  readonly versions: Versions
  readonly newClaims: ReadonlySet<string>
  readonly jobs: JobRule
  readonly isWaiting: boolean
  readonly held?: ReadonlySet<string>
}

type ApplyAction = Action<'Apply'>
type Change = Action<'Scale' | 'Patch'>

const isShared = ({ kind }: KubeObject): boolean =>
  kind === 'ConfigMap' || kind === 'Secret' || kind === 'PersistentVolumeClaim'

const seen = (observed: Observed, { name, resource }: ActionTarget): ClusterObject | undefined =>
  liveOf(observed, resource.kind, name)

type PlanAndCluster = Pick<ReconcileInput, 'plan' | 'observed'>

const applyRefusals = (
  { plan, observed }: PlanAndCluster,
  { object, origins }: ApplyAction,
): ReadonlyArray<Diagnostic> => {
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

const changeRefusals = (
  { plan, observed }: PlanAndCluster,
  verb: string,
  change: Change,
): ReadonlyArray<Diagnostic> => {
  if (isAppliedBefore(plan, change)) return []
  const { target } = change
  const live = seen(observed, target)
  return live === undefined ? [notThere(verb, target)] : ownershipFindings(live, plan.environment, showKey(target), [])
}

/**
 * Checked before anything is changed: DT3101 (owned by somebody else), DT3105 (a claim cannot be changed as wanted),
 * DT3005 (an object to be changed does not exist, and the plan does not create it first).
 */
export const refusals = (looked: PlanAndCluster): ReadonlyArray<Diagnostic> =>
  looked.plan.actions.flatMap(
    fold<ReadonlyArray<Diagnostic>>({
      Apply: (action) => applyRefusals(looked, action),
      Create: () => [],
      Delete: ({ target }) =>
        ownershipFindings(seen(looked.observed, target), looked.plan.environment, showKey(target), []),
      Await: () => [],
      Scale: (action) => changeRefusals(looked, 'scale', action),
      Patch: (action) => changeRefusals(looked, 'patch', action),
    }),
  )

/** Deleted first, then recreated. */
const replaced = (wanted: ApplyAction, deletions: ReadonlyArray<Bound<'Delete'>>): ReadonlyArray<Bound> => [
  ...deletions,
  { ...bindApply(wanted, undefined), after: [...wanted.after, ...deletions.map(({ id }) => id)] },
]

const isGoing = ({ metadata }: ClusterObject): boolean => metadata.deletionTimestamp !== undefined

/** Objects that pods read. They are never replaced: if a claim is being deleted, the pods that need it wait. */
export const sharedActions = ({ plan, observed }: ReconcileInput): ReadonlyArray<Bound> =>
  partition(plan.actions)
    .Apply.filter(({ object }) => isShared(object))
    .map((wanted) => bindApply(wanted, liveOf(observed, wanted.object.kind, wanted.object.metadata.name)))

type Workloads = ReadonlyArray<{ readonly ref: Ref; readonly live: ClusterObject }>

/**
 * `byRef`: keyed by `kind/name`. `former`: by service, our workloads that are no longer in the plan. `fresh`: see
 * `onNewClaims`.
 */
type Indexed = ReconcileInput & {
  readonly wanted: ReadonlyArray<ApplyAction>
  readonly byRef: ReadonlyMap<string, ApplyAction>
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

/**
 * Workloads of the same service with another kind. They have to be deleted first, because both would select the same
 * pods.
 */
const formerKinds = ({ former }: Indexed, { after, object }: ApplyAction): ReadonlyArray<Bound<'Delete'>> => {
  if (!isWorkload(object)) return []
  return (former.get(object.metadata.labels?.get(SERVICE_LABEL)) ?? []).map(({ live, ref }) =>
    bindDeletion(targetOf(ref), live, { propagation: 'Foreground', because: `it becomes a ${object.kind}` }, after),
  )
}

const isLeftAlone = ({ jobs }: ReconcileInput, { kind }: Pick<KubeObject, 'kind'>): boolean =>
  kind === 'Job' && jobs._tag === 'None'

/** An existing Job runs again or is left alone. */
const jobActions = (situation: Indexed, wanted: ApplyAction, job: Workload & { kind: 'Job' }, live: ClusterObject) => {
  const because = rerunReason(live, job, {
    rule: situation.jobs,
    // By now the annotation includes the versions of the Secrets.
    config: job.spec.template.metadata.annotations?.get(CONFIG_ANNOTATION),
    hasNewClaim: situation.fresh.has(wanted.id),
  })
  if (because === undefined && !isGoing(live)) return []
  const reason: Replacement = { propagation: 'Foreground', because: because ?? 'it is being deleted' }
  return replaced(wanted, [bindDeletion(targetOf(refOf(job)), live, reason, wanted.after)])
}

const actionsFor = (situation: Indexed, given: ApplyAction): ReadonlyArray<Bound> => {
  if (isLeftAlone(situation, given.object)) return []
  const isHeld = situation.held?.has(showRef(refOf(given.object)))
  if (isHeld === true && given.object.kind === 'Job') return []
  const versioned = withVersions(given.object, situation.versions)
  const object = isHeld === true ? leftStopped(versioned) : versioned
  const wanted: ApplyAction = { ...given, object }
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

/** Waits for every workload, in addition to what depends_on requires. */
const endsOf = (situation: Indexed): ReadonlyArray<Bound<'Await'>> =>
  situation.wanted.flatMap(({ id, object }): ReadonlyArray<Bound<'Await'>> => {
    if (!situation.isWaiting || !isWorkload(object) || isLeftAlone(situation, object)) return []
    const ref = refOf(object)
    const service = object.metadata.labels?.get(SERVICE_LABEL) ?? ref.name
    return [{ _tag: 'Await', id: awaitId(service, 'available'), after: [id], ref, condition: 'available', service }]
  })

const under = <P>(precondition: P | undefined, bound: (precondition: P) => Bound): ReadonlyArray<Bound> =>
  precondition === undefined ? [] : [bound(precondition)]

/** Actions on existing objects, and waits. A deletion whose object no longer exists is dropped. */
const othersOf = (situation: ReconcileInput): ReadonlyArray<Bound> => {
  const { observed, plan } = situation
  const there = ({ target }: Action<'Delete'> | Change): Exists | undefined => {
    const live = seen(observed, target)
    return live === undefined ? undefined : existing(live)
  }
  const startOf = (change: Change): Bound<Change['_tag']>['precondition'] | undefined =>
    isAppliedBefore(plan, change) ? { _tag: 'Applied' } : there(change)
  return plan.actions.flatMap(
    fold<ReadonlyArray<Bound>>({
      Apply: () => [],
      Create: (action) =>
        seen(observed, action.target) === undefined ? [{ ...action, precondition: { _tag: 'Absent' } }] : [],
      Delete: (action) => under(there(action), (precondition) => ({ ...action, precondition })),
      Await: (action) => (isLeftAlone(situation, action.ref) ? [] : [action]),
      Scale: (action) => under(startOf(action), (precondition) => ({ ...action, precondition })),
      Patch: (action) => under(startOf(action), (precondition) => ({ ...action, precondition })),
    }),
  )
}

/** Everything except what pods read, followed by the waits. */
export const remainingActions = (given: ReconcileInput): ReadonlyArray<Bound> => {
  const situation = indexed(given)
  return [
    ...situation.wanted.filter(({ object }) => !isShared(object)).flatMap((wanted) => actionsFor(situation, wanted)),
    ...othersOf(situation),
    ...endsOf(situation),
  ]
}
