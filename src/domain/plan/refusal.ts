/** Reports why the API server refused an object, at the lines of the files it comes from. */
import { type Failure, failureDiagnostic } from '../cluster/failure.ts'
import { type Diagnostic, error, placed } from '../diagnostic/diagnostic.ts'
import { type Action, refOf, showRef } from './action.ts'
import { placesIn } from './origins.ts'

/** One finding for each refused field, or one for the whole object. */
export const refusalFindings = (failure: Failure, { object, origins }: Action<'Apply'>): ReadonlyArray<Diagnostic> => {
  const placeOf = placesIn(origins)
  if (failure._tag !== 'Refused' || failure.status !== 422 || failure.causes.length === 0) {
    const found = failureDiagnostic(failure)
    return [failure._tag === 'Refused' ? placed(placeOf(''), found) : found]
  }
  return failure.causes.map(({ field = '', message }) =>
    placed(placeOf(field), error('DT3006', `${showRef(refOf(object))}: ${field === '' ? '' : `${field}: `}${message}`)),
  )
}
