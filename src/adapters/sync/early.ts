/**
 * Contents of a few small files, sent with the news that they have changed: the other end need not ask for them. They
 * are hints, like the news: whoever writes a file compares its hash.
 */
import type { SeenEntry, TreeFile, TreeLook } from '../../domain/sync/entry.ts'
import { childOf } from '../../domain/sync/path.ts'

const mostBytes = 64 * 1024
const mostFiles = 8

type Sender = {
  /** The other end knows this entry, or caused it. */
  readonly know: (entry: SeenEntry | undefined) => void
  /** The files of a look whose contents are sent; none when many have changed. All entries are known afterwards. */
  readonly chosen: (look: TreeLook) => ReadonlyArray<readonly [path: string, file: TreeFile]>
}

export const earlySender = (): Sender => {
  // An entry that has not changed is the same object in every look.
  const known = new WeakSet<SeenEntry>()
  return {
    know: (entry) => {
      if (entry !== undefined) known.add(entry)
    },
    chosen: ({ listings }) => {
      const files: Array<readonly [string, TreeFile]> = []
      let changed = 0
      for (const [folder, { entries }] of listings) {
        for (const [name, entry] of entries) {
          if (known.has(entry)) continue
          known.add(entry)
          changed += 1
          if (changed <= mostFiles && entry._tag === 'File' && entry.size <= mostBytes)
            files.push([childOf(folder, name), entry])
        }
      }
      return changed <= mostFiles ? files : []
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
      held.set(hash, content)
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
