/** What is wrong with an image by its file alone: found when that is read, whether the image is built or not. */
import * as C from '../checked.ts'
import { type Diagnostic, error } from '../diagnostic/diagnostic.ts'
import { readCacheExport, readCacheImport } from './cache.ts'
import { contextFault } from './contexts.ts'
import { noFlags } from './flags.ts'
import type { Image } from './image.ts'
import { optionsOf } from './options.ts'

/** DT4031 for names that nothing can be pushed to. `wrong` is what none may hold. */
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

/** DT4031. A build finds them again, in the same words. */
export const mistakesIn = (image: Image): ReadonlyArray<Diagnostic> => [
  ...C.findings(optionsOf(image, noFlags)),
  ...image.additionalContexts.flatMap((context) => contextFault(context) ?? []),
  ...C.findings(C.each(readCacheImport)(image.cacheFrom)),
  ...C.findings(C.each(readCacheExport({ isDocker: false, names: [] }))(image.exportCache)),
  // A variable may get its value when images are built before.
  ...unnameable(image, /@/),
]
