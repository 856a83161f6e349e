/** The looks that the other end sends. Their total size is bounded, since the other end is not trusted. */
import type { TreeListing, TreeLook } from '../../domain/sync/entry.ts'
import { addListed, type Listed, type ListedPart } from './messages.ts'

/** Approximately the memory that they take: some 800,000 files. */
const mostBytes = 256 * 1024 * 1024

/** A look that arrives in parts. */
export type LookBeing = {
  /** Throws when there are too many. */
  readonly add: (listed: ListedPart | undefined) => void
  readonly end: (isWhole: boolean) => TreeLook
}

export const newHeard = (most = mostBytes): (() => LookBeing) => {
  const known = new Map<string, number>()
  let [knownBytes, comingBytes] = [0, 0]
  const check = (bytes: number): void => {
    if (bytes > most) throw new Error('there are too many files')
  }
  const know = (folder: string, bytes: number): void => {
    knownBytes += bytes - (known.get(folder) ?? 0)
    known.set(folder, bytes)
  }
  return () => {
    const listings = new Map<string, Listed>()
    let coming = 0
    return {
      add: (listed) => {
        const bytes = listed === undefined ? 0 : addListed(listed, listings)
        coming += bytes
        comingBytes += bytes
        check(comingBytes)
      },
      end: (isWhole) => {
        comingBytes -= coming
        if (isWhole) {
          known.clear()
          knownBytes = 0
        }
        const found = new Map<string, TreeListing>()
        for (const [folder, { bytes, entries, isHeld }] of listings) {
          know(folder, bytes)
          found.set(folder, { entries, isHeld })
        }
        check(knownBytes)
        return { isWhole, listings: found }
      },
    }
  }
}
