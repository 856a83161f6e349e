/** The name of a service's image: the one to run, and the one to push to when the service is built. */

import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { type Diagnostic, warning } from '../../diagnostic/diagnostic.ts'
import type { Located, ValueOf } from '../../shape/shape.ts'
import { hasVariables } from '../../shape/unset.ts'
import { checkImage } from '../../text/image.ts'
import type { service } from '../fields/service.ts'

type ImageName = { readonly name?: Located<string>; readonly found: ReadonlyArray<Diagnostic> }

/** Beside `build`, a name that variables without a value leave incomplete counts as none. */
export const imageName = ({ value: { build, image } }: ValueOf<typeof service>): ImageName => {
  if (image === undefined) return { found: [] }
  if (build === undefined || !hasVariables(image)) return { name: image, found: [] }
  return pipe(
    checkImage(image.value),
    E.match(
      ({ message }): ImageName => ({
        found: [
          warning('DT1026', `${message}, so the image gets a generated name`, { at: image.at, path: image.path }),
        ],
      }),
      (): ImageName => ({ name: image, found: [] }),
    ),
  )
}
