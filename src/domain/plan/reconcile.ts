/**
 * A plan, seen against what is in the cluster, becomes changes. In two steps, because the second depends on what the first
 * did: what pods read (ConfigMaps, Secrets, claims), then all the rest.
 */

import { allOf, type Live, labelOf, liveOf, type Observed } from '../cluster/live.ts'
import type { Diagnostic } from '../diagnostic/diagnostic.ts'
import { CONFIG_ANNOTATION, SERVICE_LABEL } from '../k8s/labels.ts'
import type { KubeObject, Workload } from '../k8s/types.ts'
import { type Apply, type Await, type Change, type Delete, deleteId } from './change.ts'
import { claimFindings } from './claims.ts'
import { awaitId } from './ids.ts'
import { rerunReason } from './jobs.ts'
import { onNewClaims } from './new-claims.ts'
import { isKept, isTranslated, ownershipFindings } from './ownership.ts'
import { type Action, type Plan, type Ref, refOf, showRef } from './plan.ts'
import { type Replacement, replacementOf } from './replace.ts'
import { isWorkload, type Versions, withVersions } from './versions.ts'

/**
 * `observed`: the objects of the namespace that have our names or labels. `newClaims`: names of claims made in this run.
 * `isWaiting`: the end is waited for, not only what depends_on says.
 */
export type Situation = {
  readonly plan: Plan
  readonly observed: Observed
  readonly versions: Versions
  readonly newClaims: ReadonlySet<string>
  readonly rerunsJobs: boolean
  readonly isWaiting: boolean
}

type Wanted = Extract<Action, { readonly _tag: 'Apply' }>

const wantedOf = ({ actions }: Plan): ReadonlyArray<Wanted> =>
  actions.flatMap((action) => (action._tag === 'Apply' ? [action] : []))

const isShared = ({ kind }: KubeObject): boolean =>
  kind === 'ConfigMap' || kind === 'Secret' || kind === 'PersistentVolumeClaim'

/** Before anything is touched: DT3101 (somebody else's), DT3105 (a claim cannot become what is wanted). */
export const refusals = ({ plan, observed }: Pick<Situation, 'plan' | 'observed'>): ReadonlyArray<Diagnostic> =>
  wantedOf(plan).flatMap(({ object, origins }) => {
    const ref = refOf(object)
    const live = liveOf(observed, ref.kind, ref.name)
    const foreign = ownershipFindings(live, plan.environment, ref, origins)
    if (foreign.length > 0 || live === undefined || object.kind !== 'PersistentVolumeClaim') return foreign
    return claimFindings(live, object, origins)
  })

const applied = ({ id, after, object, origins }: Wanted, live: Live | undefined): Apply => ({
  _tag: 'Apply',
  id,
  after,
  object,
  origins,
  ...(live === undefined ? {} : { uid: live.metadata.uid }),
})

const deletion = (
  ref: Ref,
  { metadata: { uid } }: Live,
  { because, propagation }: Replacement,
  after: ReadonlyArray<string>,
): Delete => ({ _tag: 'Delete', id: deleteId(ref), after, ref, uid, propagation, because })

/** Gone first, then made anew. */
const replaced = (wanted: Wanted, deletions: ReadonlyArray<Delete>): ReadonlyArray<Change> => [
  ...deletions,
  { ...applied(wanted, undefined), after: [...wanted.after, ...deletions.map(({ id }) => id)] },
]

const isGoing = ({ metadata }: Live): boolean => metadata.deletionTimestamp !== undefined

/** What pods read. Never replaced: a claim that is on its way out is waited for by its pods. */
export const sharedChanges = ({ plan, observed }: Situation): ReadonlyArray<Change> =>
  wantedOf(plan)
    .filter(({ object }) => isShared(object))
    .map((wanted) => applied(wanted, liveOf(observed, wanted.object.kind, wanted.object.metadata.name)))

const workloadKinds = ['Deployment', 'StatefulSet', 'DaemonSet', 'Job'] as const

type Workloads = ReadonlyArray<{ readonly ref: Ref; readonly live: Live }>

/** `byRef`: as `kind/name`. `former`: by service, workloads of ours that the plan no longer has. `fresh`: `onNewClaims`. */
type Indexed = Situation & {
  readonly wanted: ReadonlyArray<Wanted>
  readonly byRef: ReadonlyMap<string, Wanted>
  readonly former: ReadonlyMap<string | undefined, Workloads>
  readonly fresh: ReadonlySet<string>
}

const formerIn = ({ observed, plan }: Situation, byRef: Indexed['byRef']): Indexed['former'] => {
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

const indexed = (situation: Situation): Indexed => {
  const wanted = wantedOf(situation.plan)
  const byRef = new Map(wanted.map((one) => [showRef(refOf(one.object)), one]))
  return { ...situation, wanted, byRef, former: formerIn(situation, byRef), fresh: onNewClaims(situation) }
}

/** The same service as another kind of workload: its pods would be taken for those of the new one. */
const formerKinds = ({ former }: Indexed, { after, object }: Wanted): ReadonlyArray<Delete> => {
  if (!isWorkload(object)) return []
  return (former.get(object.metadata.labels?.get(SERVICE_LABEL)) ?? []).map(({ live, ref }) =>
    deletion(ref, live, { propagation: 'Foreground', because: `it becomes a ${object.kind}` }, after),
  )
}

/** A Job that is there runs again, or is left as it is. */
const jobChanges = (situation: Indexed, wanted: Wanted, job: Workload & { kind: 'Job' }, live: Live) => {
  const because = rerunReason(live, job, {
    isForced: situation.rerunsJobs,
    // The annotation was given the versions of Secrets already.
    config: job.spec.template.metadata.annotations?.get(CONFIG_ANNOTATION),
    hasNewClaim: situation.fresh.has(wanted.id),
  })
  if (because === undefined && !isGoing(live)) return []
  const reason: Replacement = { propagation: 'Foreground', because: because ?? 'it is being deleted' }
  return replaced(wanted, [deletion(refOf(job), live, reason, wanted.after)])
}

const changesFor = (situation: Indexed, given: Wanted): ReadonlyArray<Change> => {
  const object = withVersions(given.object, situation.versions)
  const wanted: Wanted = { ...given, object }
  const former = formerKinds(situation, wanted)
  const live = liveOf(situation.observed, object.kind, object.metadata.name)
  if (live === undefined) return replaced(wanted, former)
  if (object.kind === 'Job') return [...former, ...jobChanges(situation, wanted, object, live)]
  const reason: Replacement | undefined = isGoing(live)
    ? { propagation: 'Background', because: 'it is being deleted' }
    : replacementOf(live, object)
  if (reason === undefined) {
    return [...former, { ...applied(wanted, live), after: [...wanted.after, ...former.map(({ id }) => id)] }]
  }
  return replaced(wanted, [...former, deletion(refOf(object), live, reason, wanted.after)])
}

const serviceOf = ({ byRef }: Indexed, ref: Ref): string =>
  byRef.get(showRef(ref))?.object.metadata.labels?.get(SERVICE_LABEL) ?? ref.name

const awaitsOf = (situation: Indexed): ReadonlyArray<Await> => {
  const { isWaiting, plan, wanted } = situation
  const asked = plan.actions.flatMap((action): ReadonlyArray<Await> => {
    if (action._tag !== 'Await') return []
    const { id, after, ref, condition, at } = action
    return [{ _tag: 'Await', id, after, ref, goal: condition, at, service: serviceOf(situation, ref) }]
  })
  const whole = wanted.flatMap(({ id, object }): ReadonlyArray<Await> => {
    if (!isWaiting || !isWorkload(object)) return []
    const ref = refOf(object)
    const service = serviceOf(situation, ref)
    return [{ _tag: 'Await', id: awaitId(service, 'available'), after: [id], ref, goal: 'available', service }]
  })
  return [...asked, ...whole]
}

/** Everything but what pods read, and what is waited for. */
export const remainingChanges = (given: Situation): ReadonlyArray<Change> => {
  const situation = indexed(given)
  return [
    ...situation.wanted.filter(({ object }) => !isShared(object)).flatMap((wanted) => changesFor(situation, wanted)),
    ...awaitsOf(situation),
  ]
}
