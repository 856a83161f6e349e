/** The lines of the files behind the parts of an object. */
import type { Place } from '../text/source.ts'
import type { Origin } from './action.ts'

/** Where the value at a path comes from: the origin of it, or of the nearest value that holds it. */
export const placesIn = (origins: ReadonlyArray<Origin>): ((path: string) => Place | undefined) => {
  const byPath = new Map(origins.map(({ at, path }) => [path, at]))
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
