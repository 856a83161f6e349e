/** What destroying an environment deletes, in which order, and what it keeps. Nothing here talks to a cluster. */

import { textAt } from '../cluster/json.ts'
import { annotationOf, type ClusterObject, labelOf } from '../cluster/live.ts'
import { neededBy } from '../cluster/needs.ts'
import { showKey } from '../cluster/resources.ts'
import type { EnvironmentRecord, InventoryEntry } from '../environment/record.ts'
import type { Release } from '../environment/release.ts'
import { ENVIRONMENT_LABEL, POLICY_ANNOTATION } from '../k8s/labels.ts'
import { defined } from '../object/defined.ts'
import type { ActionTarget, Bound } from '../plan/action.ts'
import { bindDeletion } from '../plan/bind.ts'
import { isKept as isKeptByPolicy } from '../plan/ownership.ts'
import { templateClaims } from './claims.ts'
import { type FoundObjects, isClaim, isOfKubernetes, isRuleOfNamespace, recordOf } from './found.ts'
import { isMemberOf } from './releases.ts'
import { propagationOf, type Stage, stageOf, stages } from './stage.ts'

const HELM_POLICY = 'helm.sh/resource-policy'

/**
 * `isAll`: everything in the namespace, of any owner. `keepsRecords`: the environments whose destroy commands, which
 * are recorded, have not run.
 */
export type Options = {
  readonly withVolumes: boolean
  readonly isAll: boolean
  readonly keepsRecords?: ReadonlySet<string>
}

/**
 * `found`: everything in the namespace. `inventory`: what the record lists. `releases`: Helm releases that are entirely
 * ours.
 */
export type DestroyInput = {
  readonly environment: string
  readonly found: ReadonlyArray<FoundObjects>
  readonly inventory: ReadonlyArray<InventoryEntry>
  readonly releases: ReadonlyArray<Release>
  readonly options: Options
}

/** A deletion in a stage; deletions of one stage run in parallel. `size`: of a volume. */
export type Deletion = Bound<'Delete'> & { readonly stage: Stage; readonly size?: string }

type KeptObject = { readonly target: ActionTarget; readonly because: string }

/** `deletions`: in the order in which they happen, stage by stage. */
export type DestroyPlan = {
  readonly deletions: ReadonlyArray<Deletion>
  readonly kept: ReadonlyArray<KeptObject>
}

/** Created by deploy or one of its commands, according to its labels or the record. */
export const isOfEnvironment = (
  environment: string,
  inventory: ReadonlyArray<InventoryEntry>,
): ((found: FoundObjects) => boolean) => {
  const uids = new Set(inventory.flatMap(({ uid }) => (uid === '' ? [] : [uid])))
  return ({ live }) => labelOf(live, ENVIRONMENT_LABEL) === environment || uids.has(live.metadata.uid)
}

const belongs = ({ environment, inventory, releases }: DestroyInput): ((found: FoundObjects) => boolean) => {
  const isMade = isOfEnvironment(environment, inventory)
  return (found) => isMade(found) || releases.some((release) => isMemberOf(found, release))
}

/** An annotation keeps it. */
export const policyOf = (live: ClusterObject): string | undefined => {
  if (isKeptByPolicy(live)) return `${POLICY_ANNOTATION} is keep`
  return annotationOf(live, HELM_POLICY) === 'keep' ? `${HELM_POLICY} is keep` : undefined
}

type Needed = ReadonlyMap<string, string>

const whyKept = (
  found: FoundObjects,
  needed: Needed,
  { options: { keepsRecords, withVolumes } }: DestroyInput,
): string | undefined => {
  const policy = policyOf(found.live)
  if (policy !== undefined) return policy
  const user = needed.get(showKey({ resource: found.resource, name: found.live.metadata.name }))
  if (user !== undefined) return `${user} needs it, which is kept`
  if (isRuleOfNamespace(found)) return 'a rule of the namespace'
  const recorded = recordOf(found)
  if (recorded !== undefined && keepsRecords?.has(recorded) === true && found.resource.plural !== 'leases')
    return 'the destroy commands have not run'
  return isClaim(found) && !withVolumes ? 'a volume: --volumes deletes it' : undefined
}

const targetOfFound = ({ live, resource }: FoundObjects): ActionTarget => ({ resource, name: live.metadata.name })

/** Of a claim: what it got, or asked for. */
const sizeOf = (live: ClusterObject): string | undefined =>
  live.kind === 'PersistentVolumeClaim'
    ? (textAt(live, 'status', 'capacity', 'storage') ?? textAt(live, 'spec', 'resources', 'requests', 'storage'))
    : undefined

const deletionOf = (found: FoundObjects): Deletion => {
  const { live, resource } = found
  const stage = stageOf(found)
  const target = targetOfFound(found)
  const propagation = propagationOf(stage, resource)
  const bound = bindDeletion(target, live, { propagation, because: 'its environment is destroyed' })
  return { ...bound, stage, ...defined({ size: sizeOf(live) }) }
}

const inOrder = (a: Deletion, b: Deletion): number => stages.indexOf(a.stage) - stages.indexOf(b.stage)

/** An object that several API groups serve counts once. */
const eachOnce = (found: ReadonlyArray<FoundObjects>): ReadonlyArray<FoundObjects> =>
  [...new Map(found.toReversed().map((one) => [one.live.metadata.uid, one])).values()].toReversed()

/** Whether anything was ever deployed: a lock alone may be that of a run that was refused. */
export const isThere = ({ environment, found }: DestroyInput, record: EnvironmentRecord | undefined): boolean =>
  record !== undefined ||
  found.some(({ live, resource }) => resource.plural !== 'leases' && labelOf(live, ENVIRONMENT_LABEL) === environment)

const candidates = (situation: DestroyInput): ReadonlyArray<FoundObjects> => {
  const { environment, found, options } = situation
  const deletable = eachOnce(found).filter((one) => !isOfKubernetes(one))
  if (options.isAll) return deletable
  const isOurs = belongs(situation)
  const own = deletable.filter((one) => isOurs(one) && (recordOf(one) ?? environment) === environment)
  const claims = templateClaims(own, deletable)
  return [...own, ...claims.filter((claim) => !own.includes(claim))]
}

/**
 * Laws: what is to be kept is never deleted, nor what a kept workload needs; no claim is deleted without `withVolumes`;
 * once a plan has been carried out, the next plan has no deletions.
 */
export const destroyPlan = (situation: DestroyInput): DestroyPlan => {
  const lives = situation.found.map(({ live }) => live)
  const needed = neededBy(
    lives.filter((live) => policyOf(live) !== undefined),
    lives,
  )
  const judged = candidates(situation).map((found) => ({ found, because: whyKept(found, needed, situation) }))
  return {
    deletions: judged
      .flatMap(({ because, found }) => (because === undefined ? [deletionOf(found)] : []))
      .toSorted(inOrder),
    kept: judged.flatMap(({ because, found }) =>
      because === undefined ? [] : [{ target: targetOfFound(found), because }],
    ),
  }
}
