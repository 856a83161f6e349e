/** Changes to single fields: the request body for the API, and what to report when the API refuses it. */
import { type Failure, failureDiagnostic, isAbsent, isFieldConflict, isOtherUid, isStale } from '../cluster/failure.ts'
import { isObject, type JsonObject } from '../cluster/json.ts'
import type { ClusterObject } from '../cluster/live.ts'
import { apiVersionOf, showKey } from '../cluster/resources.ts'
import { type Diagnostic, error } from '../diagnostic/diagnostic.ts'
import type { Action, ActionTarget, Bound, Exists } from './action.ts'
import { existing } from './bind.ts'
import { conflictFindings } from './conflicts.ts'

/**
 * Patches `spec.replicas` instead of using the scale subresource: that records the field's manager, so whoever applies
 * another number gets a conflict.
 */
export const scalePatch = ({ replicas, ...action }: Bound<'Scale'>): Bound<'Patch'> => ({
  ...action,
  _tag: 'Patch',
  fields: { strategy: 'merge', body: { spec: { replicas } } },
})

/** A patch of a specific object, identified by its uid. */
export type ReadyPatch = Action<'Patch'> & { readonly precondition: Exists }

/** `live`: the object that the plan applied; `undefined` when it was not applied. */
export const readyPatch = (
  { precondition, ...action }: Bound<'Patch'>,
  live: ClusterObject | undefined,
): ReadyPatch | undefined => {
  if (precondition._tag === 'Exists') return { ...action, precondition }
  return live === undefined ? undefined : { ...action, precondition: existing(live) }
}

export const notThere = (verb: string, target: ActionTarget): Diagnostic =>
  error('DT3005', `cannot ${verb} ${showKey(target)}: it does not exist`)

/** Includes the precondition as metadata, where the server checks it. */
export const patchBody = ({ fields, precondition, target }: ReadyPatch): JsonObject => {
  const { _tag, ...expected } = precondition
  const { body, strategy } = fields
  const metadata = { ...(isObject(body['metadata']) ? body['metadata'] : {}), ...expected }
  if (strategy === 'merge') return { ...body, metadata }
  const { name, resource } = target
  return { apiVersion: apiVersionOf(resource), kind: resource.kind, ...body, metadata: { name, ...metadata } }
}

/** Whether the current object would explain the failure better than the failure itself. */
export const needsLook = (failure: Failure): boolean =>
  isFieldConflict(failure) || isStale(failure) || isOtherUid(failure) || isAbsent(failure)

const becameOf = ({ precondition: { uid } }: ReadyPatch, live: ClusterObject | undefined): string => {
  if (live === undefined) return 'deleted'
  return live.metadata.uid === uid ? 'changed' : 'replaced'
}

/**
 * DT3102 for each field of another manager; DT3103 when the precondition no longer holds. `live`: the current object.
 */
export const patchFindings = (
  action: ReadyPatch,
  failure: Failure,
  live: ClusterObject | undefined,
): ReadonlyArray<Diagnostic> => {
  const name = showKey(action.target)
  if (isFieldConflict(failure)) {
    const wanted = { name, object: patchBody(action), origins: [], source: `the patch by "${action.manager}"` }
    return conflictFindings(wanted, failure, live)
  }
  if (!needsLook(failure)) return [failureDiagnostic(failure)]
  const message = `${name} was ${becameOf(action, live)} by something else in the meantime`
  return [error('DT3103', message, { help: 'run the command again' })]
}
