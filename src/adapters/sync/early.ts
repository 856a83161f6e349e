/**
 * Contents of a few small files, sent with the news that they have changed: the other end need not ask for them. They
 * are hints, like the news: whoever writes a file compares its hash.
 */
import { modeIn } from '../../domain/ignore/sync-rules.ts'
import type { SeenEntry, TreeFile, TreeLook } from '../../domain/sync/entry.ts'
import { childOf } from '../../domain/sync/path.ts'
import type { Clock } from '../../ports/clock.ts'

const mostBytes = 64 * 1024
const mostFiles = 8
/** Of a file that keeps growing, most contents are replaced before they are wanted. */
const againMs = 250

type FileAt = readonly [path: string, file: TreeFile]

type Sender = {
  /** The other end knows this entry, or caused it. */
  readonly know: (entry: SeenEntry | undefined) => void
  /** The files of a look that the other end does not know yet. */
  readonly news: (look: TreeLook) => ReadonlyArray<FileAt>
  /** Those of them whose contents are worth sending now; none when there are many. */
  readonly due: (news: ReadonlyArray<FileAt>) => ReadonlyArray<FileAt>
}

const modeOf = modeIn('two-way')

export const earlySender = ({ now }: Pick<Clock, 'now'>): Sender => {
  // A file that has not changed is the same object in every look.
  const known = new WeakSet<SeenEntry>()
  const sentMs = new Map<string, number>()
  const isDue = ([path, { size }]: FileAt): boolean => size <= mostBytes && !sentMs.has(path) && modeOf(path) !== 'push'
  return {
    know: (entry) => {
      if (entry !== undefined) known.add(entry)
    },
    news: ({ listings }) => {
      const files: Array<FileAt> = []
      for (const [folder, { entries }] of listings) {
        for (const [name, entry] of entries) {
          if (entry._tag !== 'File' || known.has(entry)) continue
          known.add(entry)
          files.push([childOf(folder, name), entry])
        }
      }
      return files
    },
    due: (files) => {
      if (files.length > mostFiles) return []
      const atMs = now()
      for (const [path, beforeMs] of sentMs) if (atMs - beforeMs >= againMs) sentMs.delete(path)
      const due = files.filter(isDue)
      for (const [path] of due) sentMs.set(path, atMs)
      return due
    },
  }
}

type Receiver = {
  readonly put: (hash: string, content: Uint8Array) => void
  /** Once, and only the last few. */
  readonly take: (hash: string) => Uint8Array | undefined
}

export const earlyReceiver = (): Receiver => {
  const held = new Map<string, Uint8Array>()
  return {
    put: (hash, content) => {
      if (content.length > mostBytes) return
      held.delete(hash)
      // A copy, since it is a part of all that has arrived with it.
      held.set(hash, Buffer.from(content))
      const [oldest] = held.keys()
      if (held.size > mostFiles && oldest !== undefined) held.delete(oldest)
    },
    take: (hash) => {
      const content = held.get(hash)
      held.delete(hash)
      return content
    },
  }
}
