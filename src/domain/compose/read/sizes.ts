/** Sizes that are valid but hardly intended. */
import * as E from 'fp-ts/lib/Either.js'
import { type Diagnostic, warning } from '../../diagnostic/diagnostic.ts'
import { readQuantity } from '../../text/quantity.ts'
import type { Written } from '../model.ts'

/** No program runs in less, and no file system is smaller. */
const leastBytes = 1024 * 1024

/** `size` is a Kubernetes quantity. Warns DT1123. */
export const unlikelySize = (what: string, size: Written<string> | undefined): ReadonlyArray<Diagnostic> => {
  if (size === undefined) return []
  const bytes = E.getOrElse(() => leastBytes)(readQuantity(size.value))
  if (bytes >= leastBytes || bytes === 0) return []
  const shown = bytes < 1 ? 'less than one byte' : `${Math.ceil(bytes)} bytes`
  return [
    warning('DT1123', `${what} of ${shown} is surely too small`, {
      at: size.at,
      path: size.path,
      help: 'give it a unit, such as 64Mi or 2Gi',
    }),
  ]
}
