/** The variables `DEVTOOL_BUILD_<NAME>_…`, which describe the images of `build`, built or not. */

import { type BuiltImage, buildVariables } from '../commands/variables.ts'
import type { Image } from './image.ts'
import { generatedName, type ImageNaming } from './names.ts'
import { splitReference } from './reference.ts'

/** `[registry/]repository[:tag][@digest]`, split into its parts. */
export const builtImage = (name: string, reference: string): BuiltImage => ({
  name,
  tag: 'latest',
  ...splitReference(reference),
})

const isKnown = (text: string): boolean => !text.includes('$')

/** The images that were built, by path, and those that the manifest names: they may exist already. */
export const namedImages = (
  images: ReadonlyArray<Image>,
  built: ReadonlyMap<string, string> = new Map(),
): ReadonlyArray<BuiltImage> =>
  images.flatMap(({ images: [first], name, path }) => {
    const known = built.get(path) ?? first?.value
    return known !== undefined && isKnown(known) ? [builtImage(name, known)] : []
  })

type NamingContext = ImageNaming & { readonly built?: ReadonlyMap<string, string> | undefined }

/**
 * For all images: one without a name gets the name that a build would generate, with the tag `dev` in place of the
 * content hash.
 */
export const imageVariables = (
  images: ReadonlyArray<Image>,
  { built, ...naming }: NamingContext,
): ReadonlyMap<string, string> => {
  const unnamed = images
    .filter((image) => image.images.length === 0 && built?.has(image.path) !== true)
    .map(({ name }) => builtImage(name, generatedName(naming, name, 'dev')))
  return buildVariables([...namedImages(images, built), ...unnamed])
}
