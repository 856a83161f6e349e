/** Changes of single fields: as the API takes them, and what to say when it does not. */
import { type Failure, failureDiagnostic, isAbsent, isFieldConflict, isOtherUid, isStale } from '../cluster/failure.ts'
import { isObject, type JsonObject } from '../cluster/json.ts'
import type { ClusterObject } from '../cluster/live.ts'
import { apiVersionOf, showKey } from '../cluster/resources.ts'
import { type Diagnostic, error } from '../diagnostic/diagnostic.ts'
import type { Action, ActionTarget, Bound, Exists } from './action.ts'
import { existing } from './bind.ts'
import { conflictFindings } from './conflicts.ts'

/**
 * The number of replicas is one field of the object, and written as such: the manager of the field is then told to whoever
 * applies another number, which the scale subresource would hide.
 */
export const scalePatch = ({ replicas, ...action }: Bound<'Scale'>): Bound<'Patch'> => ({
  ...action,
  _tag: 'Patch',
  fields: { strategy: 'merge', body: { spec: { replicas } } },
})

/** Of the object that is known to be meant. */
export type ReadyPatch = Action<'Patch'> & { readonly precondition: Exists }

/** `live`: what the plan applied. Without it, what was to be applied first is not there. */
export const readyPatch = (
  { precondition, ...action }: Bound<'Patch'>,
  live: ClusterObject | undefined,
): ReadyPatch | undefined => {
  if (precondition._tag === 'Exists') return { ...action, precondition }
  return live === undefined ? undefined : { ...action, precondition: existing(live) }
}

export const notThere = (verb: string, target: ActionTarget): Diagnostic =>
  error('DT3005', `cannot ${verb} ${showKey(target)}: it does not exist`)

/** With the precondition in its metadata, where the server looks for it. */
export const patchBody = ({ fields, precondition, target }: ReadyPatch): JsonObject => {
  const { _tag, ...expected } = precondition
  const { body, strategy } = fields
  const metadata = { ...(isObject(body['metadata']) ? body['metadata'] : {}), ...expected }
  if (strategy === 'merge') return { ...body, metadata }
  const { name, resource } = target
  return { apiVersion: apiVersionOf(resource), kind: resource.kind, ...body, metadata: { name, ...metadata } }
}

/** Whether what is there says more than the failure itself. */
export const needsLook = (failure: Failure): boolean =>
  isFieldConflict(failure) || isStale(failure) || isOtherUid(failure) || isAbsent(failure)

const becameOf = ({ precondition: { uid } }: ReadyPatch, live: ClusterObject | undefined): string => {
  if (live === undefined) return 'deleted'
  return live.metadata.uid === uid ? 'changed' : 'replaced'
}

/** DT3102 for each field of another manager, DT3103 when the precondition no longer holds. `live`: what is there now. */
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
