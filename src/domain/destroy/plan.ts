/** What destroying an environment deletes, in which order, and what it keeps. Nothing here talks to a cluster. */

import { annotationOf, labelOf } from '../cluster/live.ts'
import type { InventoryEntry } from '../environment/record.ts'
import type { Release } from '../environment/release.ts'
import { ENVIRONMENT_LABEL, POLICY_ANNOTATION } from '../k8s/labels.ts'
import type { ActionTarget, Bound } from '../plan/action.ts'
import { bindDeletion } from '../plan/bind.ts'
import { isKept as isKeptByPolicy } from '../plan/ownership.ts'
import { templateClaims } from './claims.ts'
import { type FoundObjects, isClaim, isOfKubernetes, isRuleOfNamespace, recordOf } from './found.ts'
import { isMemberOf } from './releases.ts'
import { propagationOf, type Stage, stageOf, stages } from './stage.ts'

/** `isAll`: everything in the namespace, of any owner. */
export type Options = { readonly withVolumes: boolean; readonly isAll: boolean }

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

/** A deletion in a stage; deletions of one stage run in parallel. */
export type Deletion = Bound<'Delete'> & { readonly stage: Stage }

type KeptObject = { readonly target: ActionTarget; readonly because: string }

/** `deletions`: in the order in which they happen, stage by stage. */
export type DestroyPlan = { readonly deletions: ReadonlyArray<Deletion>; readonly kept: ReadonlyArray<KeptObject> }

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

const whyKept = (found: FoundObjects, { withVolumes }: Options): string | undefined => {
  if (isKeptByPolicy(found.live)) return `${POLICY_ANNOTATION} is keep`
  if (annotationOf(found.live, 'helm.sh/resource-policy') === 'keep') return 'helm.sh/resource-policy is keep'
  if (isRuleOfNamespace(found)) return 'a rule of the namespace'
  return isClaim(found) && !withVolumes ? 'a volume: --volumes deletes it' : undefined
}

const targetOfFound = ({ live, resource }: FoundObjects): ActionTarget => ({ resource, name: live.metadata.name })

const deletionOf = (found: FoundObjects): Deletion => {
  const { live, resource } = found
  const stage = stageOf(found)
  const target = targetOfFound(found)
  const propagation = propagationOf(stage, resource)
  return { ...bindDeletion(target, live, { propagation, because: 'its environment is destroyed' }), stage }
}

const inOrder = (a: Deletion, b: Deletion): number => stages.indexOf(a.stage) - stages.indexOf(b.stage)

/** An object that several API groups serve counts once. */
const eachOnce = (found: ReadonlyArray<FoundObjects>): ReadonlyArray<FoundObjects> =>
  [...new Map(found.toReversed().map((one) => [one.live.metadata.uid, one])).values()].toReversed()

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
 * Laws: what is to be kept is never deleted; no claim is deleted without `withVolumes`; after a plan was carried out,
 * the next plan has no deletions.
 */
export const destroyPlan = (situation: DestroyInput): DestroyPlan => {
  const { options } = situation
  const judged = candidates(situation).map((found) => ({ found, because: whyKept(found, options) }))
  return {
    deletions: judged
      .flatMap(({ because, found }) => (because === undefined ? [deletionOf(found)] : []))
      .toSorted(inOrder),
    kept: judged.flatMap(({ because, found }) =>
      because === undefined ? [] : [{ target: targetOfFound(found), because }],
    ),
  }
}
