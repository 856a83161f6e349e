/** Whether a deploy has the permissions that it needs, before anything is built, run or written. */
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { type Failure, failureDiagnostic, isForbidden } from '../../domain/cluster/failure.ts'
import type { JsonObject } from '../../domain/cluster/json.ts'
import { liveOf } from '../../domain/cluster/live.ts'
import { resources } from '../../domain/cluster/resources.ts'
import { isGranted, neededRights, type Right, rightsOn, showRights } from '../../domain/cluster/rights.ts'
import { deployActions } from '../../domain/dev/deployed.ts'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import { recordName } from '../../domain/environment/record.ts'
import { type Bound, partition } from '../../domain/plan/action.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import { pruneActions } from '../../domain/plan/prune.ts'
import { sharedActions } from '../../domain/plan/reconcile.ts'
import { rightsOf } from '../../domain/plan/rights.ts'
import { isUnchanged } from '../../domain/plan/unchanged.ts'
import type { Clock } from '../../ports/clock.ts'
import { MANAGER } from '../actions/apply.ts'
import { atMost } from '../concurrency/deadline.ts'
import { missingRights } from '../context/rights.ts'
import { type EarlyLook, look, type Seen } from '../environment/early-look.ts'
import type { ReadableRecord } from '../environment/find-record.ts'
import { lookOf } from '../environment/namespace-objects.ts'
import type { DeployRequest } from './request.ts'
import { situationOf } from './settled.ts'

/** `rules`: what the API server says is permitted. `found`: the record. */
type Preflight = Pick<
  DeployRequest,
  'target' | 'plan' | 'jobs' | 'isWaiting' | 'isPartial' | 'switchedOff' | 'signal'
> & {
  readonly rules: TE.TaskEither<Failure, JsonObject>
  readonly early: EarlyLook | undefined
  readonly found: ReadableRecord | undefined
}

/** Longer than any server needs that means to answer. */
const rulesMs = 5_000

/** Those of the lock and the record. */
const ownRights = ({ environment }: Plan, found: ReadableRecord | undefined): ReadonlyArray<Right> => {
  const name = recordName(environment)
  const { ConfigMap, Lease } = resources
  return [
    ...rightsOn({ group: Lease.group, resource: Lease.plural, name }, ['get', 'create', 'update']),
    ...rightsOn(
      { group: ConfigMap.group, resource: ConfigMap.plural, name },
      found?._tag === 'Known' ? ['update'] : ['create', 'update'],
    ),
  ]
}

/** What is left to do, as far as that can be known before images are built and commands have run. */
const actionsOf = (preflight: Preflight, { observed }: Seen): ReadonlyArray<Bound> => {
  const { isPartial, plan, switchedOff } = preflight
  const situation = situationOf({ ...preflight, observed }, [])
  const pruned = isPartial ? [] : pruneActions({ plan, observed, switchedOff })
  const actions = [...sharedActions(situation), ...deployActions(situation), ...pruned]
  const unchanged = new Set<Bound>(
    partition(actions).Apply.filter(({ object }) => {
      const live = liveOf(observed, object.kind, object.metadata.name)
      return live !== undefined && isUnchanged(object, live, MANAGER)
    }),
  )
  return actions.filter((action) => !unchanged.has(action))
}

/**
 * DT3003 for what the deploy may not do. The cluster is only compared with the plan when the rules leave something
 * open. Where reviews are refused, the deploy finds out by itself.
 */
export const refusedDeploy = async (
  { clock }: { readonly clock: Clock },
  preflight: Preflight,
): Promise<ReadonlyArray<Diagnostic>> => {
  const { early, found, plan, signal, target } = preflight
  const rules = await atMost(clock, rulesMs, preflight.rules)
  if (rules === undefined || E.isLeft(rules)) return []
  if (neededRights.every((right) => right.isOptional || isGranted(rules.right, right))) return []
  const seen = await (early?.seen ?? look(clock, target, lookOf(plan), signal))()
  if (E.isLeft(seen)) return isForbidden(seen.left) ? [failureDiagnostic(seen.left)] : []
  const needed = [...ownRights(plan, found), ...rightsOf(actionsOf(preflight, seen.right))]
  const missing = await missingRights(target, needed, signal, () => Promise.resolve(rules))()
  if (E.isLeft(missing) || missing.right.length === 0) return []
  return [
    error(
      'DT3003',
      `not allowed to ${showRights(missing.right)} in namespace ${target.namespace}: nothing was changed`,
      {
        help: 'ask a cluster administrator for this permission; the role "edit" in the namespace covers all that devtool needs',
      },
    ),
  ]
}
