/** The images of `build` before they are built, as the variables `DEVTOOL_BUILD_<NAME>_…` tell of them. */
import { type BuiltImage, buildVariables } from '../commands/variables.ts'
import { dnsLabel } from '../text/dns-name.ts'
import type { Image } from './model.ts'

/** `[registry/]repository[:tag][@digest]` in its parts. */
export const builtImage = (name: string, reference: string): BuiltImage => {
  const [bare = '', digest] = reference.split('@', 2)
  const slash = bare.indexOf('/')
  const first = bare.slice(0, Math.max(slash, 0))
  const registry = /[.:]|^localhost$/.test(first) ? first : ''
  const rest = registry === '' ? bare : bare.slice(slash + 1)
  const colon = rest.lastIndexOf(':')
  return {
    name,
    registry,
    repository: colon < 0 ? rest : rest.slice(0, colon),
    tag: colon < 0 ? 'latest' : rest.slice(colon + 1),
    ...(digest === undefined ? {} : { digest }),
  }
}

const isKnown = (text: string): boolean => !text.includes('$')

/** Those that the manifest gives a name: they may exist already. */
export const namedImages = (images: ReadonlyArray<Image>): ReadonlyArray<BuiltImage> =>
  images.flatMap(({ images: [first], name }) =>
    first !== undefined && isKnown(first.value) ? [builtImage(name, first.value)] : [],
  )

/** Of all images: without a name, that which a build would give, with the tag `dev` where the content decides. */
export const imageVariables = (
  images: ReadonlyArray<Image>,
  { environment, registry }: { readonly environment: string; readonly registry?: string | undefined },
): ReadonlyMap<string, string> => {
  const prefix = registry === undefined ? '' : `${registry.replace(/\/+$/, '')}/`
  const unnamed = images
    .filter((image) => image.images.length === 0)
    .map(({ name }) => builtImage(name, `${prefix}${dnsLabel(environment)}-${name}:dev`))
  return buildVariables([...namedImages(images), ...unnamed])
}
