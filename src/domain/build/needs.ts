/** Which images have to be built before others. */

import { type Diagnostic, error } from '../diagnostic/diagnostic.ts'
import { grouped } from '../object/grouped.ts'
import { cycleText } from '../text/cycle.ts'
import { didYouMean } from '../text/suggest.ts'
import type { Image } from './image.ts'
import { lateNames, prefixOf, variablePrefix } from './late.ts'

/** `build.api` and `services.api.build` may both be named `api`. */
export const isOfService = ({ path }: Pick<Image, 'path'>): boolean => path.startsWith('services.')

const nameKey = (image: Image, name: string): string => `${isOfService(image) ? 'services' : 'build'}.${name}`

/**
 * The images to build before one of `images`: those in its `depends_on`, of the same section, and entries of a manifest
 * whose `DEVTOOL_BUILD_…` variables it uses. A variable of its own refers to the previous build.
 */
export const needsIn = (images: ReadonlyArray<Image>): ((image: Image) => ReadonlyArray<Image>) => {
  const places = new Map(images.map((image, place) => [image, place]))
  const named = grouped(images, (image) => nameKey(image, image.name))
  const entries = grouped(
    images.filter((image) => !isOfService(image)),
    ({ name }) => variablePrefix(name),
  )
  return (image) => {
    const needed = new Set(image.dependsOn.flatMap(({ value }) => named.get(nameKey(image, value)) ?? []))
    for (const name of lateNames(image))
      for (const other of entries.get(prefixOf(name)) ?? []) if (other.path !== image.path) needed.add(other)
    return [...needed].toSorted((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0))
  }
}

export const needsOf = (image: Image, images: ReadonlyArray<Image>): ReadonlyArray<Image> => needsIn(images)(image)

type Graph = ReadonlyMap<string, ReadonlyArray<Image>>

/** Images that depend on themselves, directly or through others, and all images that depend on those. */
const waiting = (images: ReadonlyArray<Image>): Graph => {
  const needs = needsIn(images)
  const left = new Map(images.map((image) => [image.path, needs(image)]))
  const waits = new Map<string, Array<string>>(images.map(({ path }) => [path, []]))
  const counts = new Map<string, number>()
  for (const [path, needed] of left) {
    counts.set(path, needed.length)
    for (const other of needed) waits.get(other.path)?.push(path)
  }
  const ready = images.flatMap(({ path }) => (counts.get(path) === 0 ? [path] : []))
  for (let path = ready.pop(); path !== undefined; path = ready.pop()) {
    left.delete(path)
    for (const other of waits.get(path) ?? []) {
      const count = (counts.get(other) ?? 0) - 1
      counts.set(other, count)
      if (count === 0) ready.push(other)
    }
  }
  return left
}

/** The cycle that the path from `start` leads into; `undefined` when that cycle has been reported already. */
const ringFrom = (start: Image, left: Graph, seen: Set<string>): ReadonlyArray<Image> | undefined => {
  const way: Array<Image> = []
  let next: Image | undefined = start
  while (next !== undefined && !seen.has(next.path)) {
    seen.add(next.path)
    way.push(next)
    next = left.get(next.path)?.find(({ path }) => left.has(path))
  }
  const first = way.findIndex(({ path }) => path === next?.path)
  return next === undefined || first < 0 ? undefined : [...way.slice(first), next]
}

/** DT1503, once for each cycle. */
export const rings = (images: ReadonlyArray<Image>): ReadonlyArray<Diagnostic> => {
  const left = waiting(images)
  const seen = new Set<string>()
  return images.flatMap((start) => {
    const ring = left.has(start.path) ? ringFrom(start, left, seen) : undefined
    const [first] = ring ?? []
    if (ring === undefined || first === undefined) return []
    const last = ring.at(-2)?.dependsOn.find(({ value }) => value === first.name)
    return [
      error('DT1503', `image dependency cycle: ${cycleText(ring.slice(0, -1).map(({ name }) => name))}`, {
        at: last?.at ?? first.at,
        path: last?.path,
        help: 'remove one of them',
      }),
    ]
  })
}

/** DT1013 for `service:NAME` when that service has no build, among the images that `needed` names. */
export const unbuilt = (images: ReadonlyArray<Image>, needed: ReadonlySet<string>): ReadonlyArray<Diagnostic> => {
  const known = new Set(images.map(({ name }) => name))
  return images
    .filter(({ name }) => needed.has(name))
    .flatMap(({ dependsOn }) => dependsOn.filter(({ value }) => !known.has(value)))
    .map(({ at, path, value }) =>
      error('DT1013', `there is no service "${value}" that is built`, {
        at,
        path,
        help: () => didYouMean(value, known, 'name a service with build:'),
      }),
    )
}
