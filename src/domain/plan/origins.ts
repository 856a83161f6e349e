/** Finds the lines of the files that parts of an object come from. */
import type { Place } from '../text/source.ts'
import type { Origin } from './action.ts'

/** The place that the value at a path comes from: its own origin, or that of the nearest enclosing value. */
export const placesIn = (origins: ReadonlyArray<Origin>): ((path: string) => Place | undefined) => {
  const byPath = new Map(origins.toReversed().map(({ at, path }) => [path, at]))
  return (path) => {
    for (let end = path.length; end > 0; end -= 1) {
      const isBoundary = end === path.length || path[end] === '.' || path[end] === '['
      const found = isBoundary ? byPath.get(path.slice(0, end)) : undefined
      if (found !== undefined) return found
    }
    return byPath.get('')
  }
}

export const showLine = ({ file, line }: Place): string => `${file}:${line}`
