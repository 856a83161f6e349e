/**
 * Variables that only a running build knows: `DEVTOOL_BUILD_<NAME>_…` of images it built earlier. Until then they stay
 * in an image's settings as `${DEVTOOL_BUILD_API_IMAGE}`.
 */

import { buildVariables } from '../commands/variables.ts'
import { defined, ifDefined } from '../object/defined.ts'
import type { NamedValue, Written } from '../text/written.ts'
import type { Image } from './image.ts'
import { namedImages } from './image-variables.ts'

const late = /\$\{(DEVTOOL_BUILD_[A-Za-z0-9_]+)\}/g

const textsOf = ({ dockerfileInline, tags = [], target, ...image }: Image): ReadonlyArray<string> => {
  const { additionalContexts, args, cacheFrom, context, exportCache, images } = image
  const all = [context, dockerfileInline, target, images, tags, args, additionalContexts, cacheFrom, exportCache].flat()
  return all.map((one) => one?.value ?? '')
}

/** The variables in an image's settings that have no value until other images are built. */
export const lateNames = (image: Image): ReadonlyArray<string> => [
  ...new Set(textsOf(image).flatMap((text) => [...text.matchAll(late)].map(([, name = '']) => name))),
]

/** What the variables of an image begin with. */
export const variablePrefix = (image: string): string =>
  `DEVTOOL_BUILD_${image.toUpperCase().replace(/[^A-Z0-9_]/g, '_')}_`

/** A variable without its ending (`IMAGE`, `TAG`, …); '' if it has none. */
export const prefixOf = (variable: string): string =>
  /^(.*_)(?:IMAGE|REGISTRY|REPOSITORY|TAG|SHA)$/.exec(variable)?.[1] ?? ''

type Replace = (text: string) => string

const inWritten =
  (replace: Replace) =>
  (written: Written<string>): Written<string> => ({ ...written, value: replace(written.value) })

const inNamed =
  (replace: Replace) =>
  ({ value, ...named }: NamedValue): NamedValue => ({
    ...named,
    ...defined({ value: ifDefined(value, replace) }),
  })

/** The variables of the manifest's images that were built or that the manifest names. */
const builtVariables = (
  images: ReadonlyArray<Image>,
  built: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> =>
  buildVariables(
    namedImages(
      images.filter(({ path }) => path.startsWith('build.')),
      built,
    ),
  )

/** The images built so far: `images` are all of the project, `built` references by path. */
type BuiltBefore = { readonly images: ReadonlyArray<Image>; readonly built: ReadonlyMap<string, string> }

/** The image with those variables replaced whose values are known. */
export const withBuilt = (image: Image, { built, images }: BuiltBefore): Image => {
  if (lateNames(image).length === 0) return image
  const variables = builtVariables(images, built)
  const replace = (text: string): string => text.replace(late, (whole, name: string) => variables.get(name) ?? whole)
  const [one, named] = [inWritten(replace), inNamed(replace)]
  const { dockerfileInline, tags, target } = image
  return {
    ...image,
    context: one(image.context),
    images: image.images.map(one),
    args: image.args.map(named),
    additionalContexts: image.additionalContexts.map(named),
    cacheFrom: image.cacheFrom.map(one),
    exportCache: image.exportCache.map(one),
    ...defined({
      dockerfileInline: ifDefined(dockerfileInline, one),
      tags: tags?.map(one),
      target: ifDefined(target, one),
    }),
  }
}
