/** Changes that a claim does not allow. Claims hold data, so none is ever replaced: the user decides. */
import * as E from 'fp-ts/lib/Either.js'
import { listAt, textAt } from '../cluster/json.ts'
import type { ClusterObject } from '../cluster/live.ts'
import { type Diagnostic, error, placed } from '../diagnostic/diagnostic.ts'
import { readQuantity } from '../text/quantity.ts'
import type { Origin } from './action.ts'
import { placesIn } from './origins.ts'

export const bytesOf = (text: string | undefined): number => E.getOrElse(() => 0)(readQuantity(text ?? ''))

const HELP =
  'volumes hold data, so this is not done automatically: keep the present value, or delete the claim and lose its data'

/** The fields of the wanted claim that cannot be changed later. */
type WantedClaim = {
  readonly metadata: { readonly name: string }
  readonly spec: {
    readonly accessModes: ReadonlyArray<string>
    readonly resources: { readonly requests: ReadonlyMap<string, string> }
    readonly storageClassName?: string
  }
}

type ClaimKey = 'size' | 'storageClass' | 'accessMode'

/** `path`: in the claim. */
type ClaimDifference = { readonly key: ClaimKey; readonly path: string; readonly found: Diagnostic }

const nameOf: Readonly<Record<ClaimKey, string>> = {
  size: 'the size',
  storageClass: 'the storage class',
  accessMode: 'the access mode',
}

/** DT3105 for a smaller size, another storage class or another access mode. */
export const claimDifferences = (
  live: ClusterObject,
  { metadata: { name }, spec }: WantedClaim,
): ReadonlyArray<ClaimDifference> => {
  const differs = (key: ClaimKey, there: string, wanted: string, path: string): ClaimDifference => {
    const message = `the volume "${name}" has ${nameOf[key]} ${there}, the file says ${wanted}`
    return { key, path, found: error('DT3105', message, { help: HELP }) }
  }
  const found: Array<ClaimDifference> = []
  const [size, wanted] = [
    textAt(live, 'spec', 'resources', 'requests', 'storage'),
    spec.resources.requests.get('storage'),
  ]
  if (size !== undefined && wanted !== undefined && bytesOf(wanted) < bytesOf(size)) {
    found.push(differs('size', size, wanted, 'spec.resources.requests.storage'))
  }
  const storageClass = textAt(live, 'spec', 'storageClassName')
  if (spec.storageClassName !== undefined && storageClass !== undefined && storageClass !== spec.storageClassName) {
    found.push(differs('storageClass', storageClass, spec.storageClassName, 'spec.storageClassName'))
  }
  const modes = listAt(live, 'spec', 'accessModes')
    .filter((mode) => typeof mode === 'string')
    .join(', ')
  if (modes !== '' && modes !== spec.accessModes.join(', ')) {
    found.push(differs('accessMode', modes, spec.accessModes.join(', '), 'spec.accessModes'))
  }
  return found
}

/** The same differences at the places that the wanted claim comes from. */
export const claimFindings = (
  live: ClusterObject,
  wanted: WantedClaim,
  origins: ReadonlyArray<Origin>,
): ReadonlyArray<Diagnostic> => {
  const placeOf = placesIn(origins)
  return claimDifferences(live, wanted).map(({ found, path }) => placed(placeOf(path), found))
}
