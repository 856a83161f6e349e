/**
 * Mistakes in an image that can be found from its file alone: reported when it is read, whether the image is built or
 * not.
 */
import * as C from '../checked.ts'
import { type Diagnostic, error } from '../diagnostic/diagnostic.ts'
import { readCacheExport, readCacheImport } from './cache.ts'
import { contextFault, urlFault } from './contexts.ts'
import { noFlags } from './flags.ts'
import type { Image } from './image.ts'
import { optionsOf } from './options.ts'

/** DT4031 for names that cannot be pushed to. `wrong` matches what a name must not contain. */
export const unnameable = ({ images, tags = [] }: Image, wrong: RegExp): ReadonlyArray<Diagnostic> =>
  [...images, ...tags].flatMap(({ at, path, value }) => {
    if (!wrong.test(value)) return []
    const why = value.includes('@') ? 'a digest is only known once the image is built' : 'a variable in it has no value'
    return [
      error('DT4031', `"${value}" is not a valid name to push to: ${why}`, {
        at,
        path,
        help: 'write repository/name:tag',
      }),
    ]
  })

/** DT4031. A build would report them again, in the same words. */
export const mistakesIn = (image: Image): ReadonlyArray<Diagnostic> => [
  ...C.findings(optionsOf(image, noFlags)),
  ...[urlFault(image.context)].flatMap((fault) => fault ?? []),
  ...image.additionalContexts.flatMap((context) => contextFault(context) ?? []),
  ...C.findings(C.each(readCacheImport)(image.cacheFrom)),
  ...C.findings(C.each(readCacheExport({ isDocker: false, names: [] }))(image.exportCache)),
  // A variable may get its value from an image that is built earlier.
  ...unnameable(image, /@/),
]
