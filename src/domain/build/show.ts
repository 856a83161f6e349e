/** The images to build, for people and as data, before anything is built. */

import { type Diagnostic, placed, remark } from '../diagnostic/diagnostic.ts'
import { defined } from '../object/defined.ts'
import { publicUrl } from '../text/public-url.ts'
import type { Place } from '../text/source.ts'
import { placeOf } from '../text/source.ts'
import type { Image } from './image.ts'
import { type ImageNaming, namesOf } from './names.ts'

/** `dockerfile`: its path as written, relative to the context. */
export type PlannedImage = {
  readonly name: string
  readonly context: string
  readonly dockerfile: string
  readonly target?: string
  readonly names: ReadonlyArray<string>
  readonly at: Place
  readonly path: string
}

const INLINE = '(inline)'

/** In the order of `images`, with the tag `dev` in place of the content hash. */
export const plannedImages = (images: ReadonlyArray<Image>, naming: ImageNaming): ReadonlyArray<PlannedImage> =>
  images.map((image) => ({
    name: image.name,
    context: publicUrl(image.context.value),
    dockerfile: image.dockerfileInline === undefined ? (image.dockerfile?.value ?? 'Dockerfile') : INLINE,
    ...defined({ target: image.target?.value }),
    names: namesOf(image, naming).names,
    at: placeOf(image.at),
    path: image.path,
  }))

/** DT4050 for each image. */
export const plannedNotes = (planned: ReadonlyArray<PlannedImage>): ReadonlyArray<Diagnostic> =>
  planned.map(({ at, context, dockerfile, names, path, target }) => {
    const by = dockerfile === INLINE ? 'the Dockerfile written there' : dockerfile
    const stage = target === undefined ? '' : `, stage ${target}`
    return placed(at, remark('DT4050', `built from ${context} by ${by}${stage}: ${names.join(', ')}`, { path }))
  })

type PlannedImageJson = Omit<PlannedImage, 'at' | 'path'>

export const plannedJson = (planned: ReadonlyArray<PlannedImage>): ReadonlyArray<PlannedImageJson> =>
  planned.map(({ at: _at, path: _path, ...image }) => image)
