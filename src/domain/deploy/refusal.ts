/** What the API server refused of an object, at the lines of the file behind it. */
import { type Failure, failureDiagnostic } from '../cluster/failure.ts'
import { type Diagnostic, error } from '../diagnostic/diagnostic.ts'
import { placesIn } from '../plan/origins.ts'
import { refOf, showRef } from '../plan/plan.ts'
import type { Place } from '../source.ts'
import type { Apply } from './change.ts'

const placed = (found: Diagnostic, at: Place | undefined): Diagnostic => (at === undefined ? found : { ...found, at })

/** One finding for each field that was refused; else one for the object. */
export const refusalFindings = (failure: Failure, { object, origins }: Apply): ReadonlyArray<Diagnostic> => {
  const placeOf = placesIn(origins)
  if (failure._tag !== 'Refused' || failure.status !== 422 || failure.causes.length === 0) {
    const found = failureDiagnostic(failure)
    return [failure._tag === 'Refused' ? placed(found, placeOf('')) : found]
  }
  return failure.causes.map(({ field = '', message }) =>
    placed(error('DT3006', `${showRef(refOf(object))}: ${field === '' ? '' : `${field}: `}${message}`), placeOf(field)),
  )
}
