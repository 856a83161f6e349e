/** Facts about several services of a file, for findings that name all of them. */
import type { Span } from '../../text/source.ts'
import type { Placed } from '../../text/written.ts'

export type Related = { readonly at: Span; readonly message: string }

/**
 * In the order of the file, and never empty. `name` distinguishes findings at the same place: with `extends` and
 * anchors one place belongs to several services.
 */
export const byFile = <A extends Placed>(
  all: ReadonlyArray<A>,
  name: (one: A) => number | string = () => 0,
): ReadonlyArray<readonly [A, ...ReadonlyArray<A>]> => {
  const seen = new Set<string>()
  const files = new Map<string, [A, ...Array<A>]>()
  for (const one of all.toSorted((a, b) => a.at.start - b.at.start)) {
    const { file } = one.at.source
    const key = `${placeKey(one.at)} ${name(one)}`
    if (seen.has(key)) continue
    seen.add(key)
    const known = files.get(file)
    if (known === undefined) files.set(file, [one])
    else known.push(one)
  }
  return [...files.values()]
}

const placeKey = ({ end, source, start }: Span): string => `${source.file} ${start} ${end}`

/**
 * The place of a finding about all of these: the first, with the other places as related ones. A message about several
 * does not begin with a path.
 */
export const placesOf = (
  [{ at, path }, ...others]: readonly [Placed, ...ReadonlyArray<Placed>],
  again: string,
): { readonly at: Span; readonly path?: string; readonly related?: ReadonlyArray<Related> } => {
  if (others.length === 0) return { at, path }
  const places = new Map(others.map((other) => [placeKey(other.at), other.at]))
  places.delete(placeKey(at))
  const related = [...places.values()].map((place) => ({ at: place, message: again }))
  return related.length === 0 ? { at } : { at, related }
}
