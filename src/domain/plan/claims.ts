/** Changes that a claim does not allow. Claims hold data, so none is ever replaced: the user decides. */
import { listAt, textAt } from '../cluster/json.ts'
import type { ClusterObject } from '../cluster/live.ts'
import { type Diagnostic, error, placed } from '../diagnostic/diagnostic.ts'
import { readQuantity } from '../text/quantity.ts'
import type { Origin } from './action.ts'
import { placesIn } from './origins.ts'

export const bytesOf = (text: string | undefined): number => {
  const read = readQuantity(text ?? '')
  return read._tag === 'Right' ? read.right : 0
}

const HELP =
  'volumes hold data, so this is not done automatically: keep the present value, or delete the claim and lose its data'

/** What is asked for, as far as it cannot be changed later. */
type WantedClaim = {
  readonly metadata: { readonly name: string }
  readonly spec: {
    readonly accessModes: ReadonlyArray<string>
    readonly resources: { readonly requests: ReadonlyMap<string, string> }
    readonly storageClassName?: string
  }
}

/** DT3105 for a smaller size, another storage class or another access mode. */
export const claimFindings = (
  live: ClusterObject,
  { metadata: { name }, spec }: WantedClaim,
  origins: ReadonlyArray<Origin>,
): ReadonlyArray<Diagnostic> => {
  const placeOf = placesIn(origins)
  const differs = (what: string, there: string, wanted: string, path: string): Diagnostic => {
    const found = error('DT3105', `the volume "${name}" has ${what} ${there}, the file says ${wanted}`, { help: HELP })
    return placed(placeOf(path), found)
  }
  const found: Array<Diagnostic> = []
  const [size, wanted] = [
    textAt(live, 'spec', 'resources', 'requests', 'storage'),
    spec.resources.requests.get('storage'),
  ]
  if (size !== undefined && wanted !== undefined && bytesOf(wanted) < bytesOf(size)) {
    found.push(differs('the size', size, wanted, 'spec.resources.requests.storage'))
  }
  const storageClass = textAt(live, 'spec', 'storageClassName')
  if (spec.storageClassName !== undefined && storageClass !== undefined && storageClass !== spec.storageClassName) {
    found.push(differs('the storage class', storageClass, spec.storageClassName, 'spec.storageClassName'))
  }
  const modes = listAt(live, 'spec', 'accessModes')
    .filter((mode) => typeof mode === 'string')
    .join(', ')
  if (modes !== '' && modes !== spec.accessModes.join(', ')) {
    found.push(differs('the access mode', modes, spec.accessModes.join(', '), 'spec.accessModes'))
  }
  return found
}
