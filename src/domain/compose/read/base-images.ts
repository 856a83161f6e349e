/** Images of the project that other Dockerfiles start from or copy from: those are built first. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Image } from '../../build/image.ts'
import { parseReference, showReference } from '../../build/reference.ts'
import type { Files } from '../files.ts'
import { imagesNamedIn } from './dockerfile.ts'
import { dockerfileOf } from './infer-ports.ts'
import type { RawService } from './service.ts'

/** The full reference, so that `web` and `docker.io/library/web:latest` are equal. */
const inFull = (name: string): string | undefined =>
  pipe(
    parseReference(name),
    E.map(showReference),
    E.getOrElseW(() => undefined),
  )

const nameOf = ({ images: [first] }: Image): string | undefined =>
  first === undefined ? undefined : inFull(first.value)

/** `raws`: the enabled services, whose Dockerfiles are read anyway. Images of other services are not built for this. */
export const withBases = (
  images: ReadonlyArray<Image>,
  raws: ReadonlyMap<string, RawService>,
  files: Files,
): ReadonlyArray<Image> => {
  const named = images.filter(({ images: names, name }) => names.length > 0 && raws.has(name))
  if (named.length === 0) return images
  return images.map((image) => {
    const raw = raws.get(image.name)
    const text = raw === undefined ? undefined : dockerfileOf(raw, files)?.text
    if (text === undefined) return image
    const used = new Set(imagesNamedIn(text).map(inFull))
    const own = nameOf(image)
    const bases = named.filter((other) => nameOf(other) !== own && used.has(nameOf(other)))
    const known = new Set(image.dependsOn.map(({ value }) => value))
    const more = bases.filter(({ name }) => name !== image.name && !known.has(name))
    if (more.length === 0) return image
    const { at, path } = image
    return { ...image, dependsOn: [...image.dependsOn, ...more.map(({ name }) => ({ value: name, at, path }))] }
  })
}
