/** Facts about several services of a file, for findings that name all of them. */
import type { Span } from '../../text/source.ts'
import type { Placed } from '../../text/written.ts'

type Related = { readonly at: Span; readonly message: string }

/** In the order of the file, and never empty. `name` tells apart what stands at one place: with `extends` and anchors several services have it. */
export const byFile = <A extends Placed>(
  all: ReadonlyArray<A>,
  name: (one: A) => number | string = () => 0,
): ReadonlyArray<readonly [A, ...ReadonlyArray<A>]> => {
  const seen = new Set<string>()
  const files = new Map<string, [A, ...Array<A>]>()
  for (const one of all.toSorted((a, b) => a.at.start - b.at.start)) {
    const { file } = one.at.source
    const key = `${file} ${one.at.start} ${one.at.end} ${name(one)}`
    if (seen.has(key)) continue
    seen.add(key)
    const known = files.get(file)
    if (known === undefined) files.set(file, [one])
    else known.push(one)
  }
  return [...files.values()]
}

const isAt = (a: Span, b: Span): boolean => a.source.file === b.source.file && a.start === b.start && a.end === b.end

/**
 * The place of a finding about all of these: the first, with the other places as related ones. A message about several
 * begins with no path.
 */
export const placesOf = (
  [{ at, path }, ...others]: readonly [Placed, ...ReadonlyArray<Placed>],
  again: string,
): { readonly at: Span; readonly path?: string; readonly related?: ReadonlyArray<Related> } => {
  if (others.length === 0) return { at, path }
  const places = [at, ...others.map((other) => other.at)]
  const distinct = places.filter((place, index) => places.findIndex((one) => isAt(one, place)) === index)
  const related = distinct.slice(1).map((place) => ({ at: place, message: again }))
  return related.length === 0 ? { at } : { at, related }
}
