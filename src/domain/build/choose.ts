/** Which images to build, and in what order. */
import type { Checked } from '../checked.ts'
import * as C from '../checked.ts'
import { error } from '../diagnostic/diagnostic.ts'
import { listed } from '../text/listed.ts'
import { didYouMean } from '../text/suggest.ts'
import type { Image } from './image.ts'
import { needsIn } from './needs.ts'

/** `images`: including everything they need, which comes first. `asked`: the images that were named, or all. */
export type ChosenImages = { readonly images: ReadonlyArray<Image>; readonly asked: ReadonlyArray<Image> }

/** The name as written in the file, which may not be a valid image name. */
const writtenName = ({ path }: Image): string => path.replace(/^build\./, '')

const isCalled =
  (name: string) =>
  (image: Image): boolean =>
    image.name === name || (image.path.startsWith('build.') && writtenName(image) === name)

/** Depth first, so dependencies come first. Cycles, which are reported elsewhere, are cut where they close. */
const ordered = (asked: ReadonlyArray<Image>, all: ReadonlyArray<Image>): ReadonlyArray<Image> => {
  const done = new Set<string>()
  const order: Array<Image> = []
  const needsOf = needsIn(all)
  const visit = (image: Image): void => {
    if (done.has(image.path)) return
    done.add(image.path)
    for (const needed of needsOf(image)) visit(needed)
    order.push(image)
  }
  for (const image of asked) visit(image)
  return order
}

/** No names mean all. If an entry of the manifest and a service share a name, both are meant. Finds DT4026. */
export const chosenImages = (images: ReadonlyArray<Image>, names: ReadonlyArray<string>): Checked<ChosenImages> => {
  const known = [...new Set(images.map(({ name }) => name))]
  const unknown = names
    .filter((name) => !images.some(isCalled(name)))
    .map((name) => {
      const list = known.length === 0 ? 'nothing in the file has a build' : `the images are ${listed(known)}`
      return error('DT4026', `there is no image "${name}"`, { help: didYouMean(name, known, list) })
    })
  const asked = names.length === 0 ? images : images.filter((image) => names.some((name) => isCalled(name)(image)))
  return C.note({ images: ordered(asked, images), asked }, unknown)
}
