/** Changes of single fields: as the API takes them, and what to say when it does not. */
import { type Failure, failureDiagnostic, isAbsent, isFieldConflict, isOtherUid, isStale } from '../cluster/failure.ts'
import { isObject, type JsonObject } from '../cluster/json.ts'
import type { ClusterObject } from '../cluster/live.ts'
import { apiVersionOf, showKey } from '../cluster/resources.ts'
import { type Diagnostic, error } from '../diagnostic/diagnostic.ts'
import type { Bound } from './action.ts'
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

/** With the precondition in its metadata, where the server looks for it. */
export const patchBody = ({ fields, precondition, target }: Bound<'Patch'>): JsonObject => {
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

const becameOf = ({ precondition: { uid } }: Bound<'Patch'>, live: ClusterObject | undefined): string => {
  if (live === undefined) return 'deleted'
  return live.metadata.uid === uid ? 'changed' : 'replaced'
}

/** DT3102 for each field of another manager, DT3103 when the precondition no longer holds. `live`: what is there now. */
export const patchFindings = (
  action: Bound<'Patch'>,
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
