/** Everything is looked at from time to time, even without notifications: less often the more there is. */
import type { SyncTree } from './entry.ts'

const wholeLookMs = { perEntry: 15, shortest: 60_000, longest: 300_000 } as const

export const wholeLookEveryMs = (tree: SyncTree): number => {
  const { longest, perEntry, shortest } = wholeLookMs
  let entries = 0
  for (const listing of tree.values()) entries += listing.entries.size
  return Math.min(longest, Math.max(shortest, perEntry * entries))
}
