/** The images of `build`, built or not, as the variables `DEVTOOL_BUILD_<NAME>_…` tell of them. */

import { type BuiltImage, buildVariables } from '../commands/variables.ts'
import type { Image } from './image.ts'
import { generatedName, type ImageNaming } from './names.ts'
import { splitReference } from './reference.ts'

/** `[registry/]repository[:tag][@digest]` in its parts. */
export const builtImage = (name: string, reference: string): BuiltImage => ({
  name,
  tag: 'latest',
  ...splitReference(reference),
})

const isKnown = (text: string): boolean => !text.includes('$')

/** Those that were built, by their path, and those that the manifest gives a name: they may exist already. */
export const namedImages = (
  images: ReadonlyArray<Image>,
  built: ReadonlyMap<string, string> = new Map(),
): ReadonlyArray<BuiltImage> =>
  images.flatMap(({ images: [first], name, path }) => {
    const known = built.get(path) ?? first?.value
    return known !== undefined && isKnown(known) ? [builtImage(name, known)] : []
  })

type Around = ImageNaming & { readonly built?: ReadonlyMap<string, string> | undefined }

/** Of all images: without a name, that which a build would give, with the tag `dev` where the content decides. */
export const imageVariables = (
  images: ReadonlyArray<Image>,
  { built, ...naming }: Around,
): ReadonlyMap<string, string> => {
  const unnamed = images
    .filter((image) => image.images.length === 0 && built?.has(image.path) !== true)
    .map(({ name }) => builtImage(name, generatedName(naming, name, 'dev')))
  return buildVariables([...namedImages(images, built), ...unnamed])
}
