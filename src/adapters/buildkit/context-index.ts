/**
 * Remembers digests of the files in a context, so that untouched files need not be read again. A file counts as
 * untouched if its size, mode, times, inode and device are the same, and if both times were more than two seconds old
 * when it was read: within the resolution of a clock a file may change twice.
 */
import { createHash } from 'node:crypto'
import { statfsSync, statSync } from 'node:fs'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Clock } from '../../ports/clock.ts'
import type { Home } from '../../ports/home.ts'
import { isRaw } from '../paths/name.ts'
import type { FileEntry } from './sync/entry.ts'

export type ContextIndex = {
  /** `undefined` when the file must be read. */
  readonly digestOf: (entry: FileEntry) => Buffer | undefined
  readonly keep: (entry: FileEntry, digest: Buffer) => void
  /** To be called when all files have been seen. */
  readonly save: () => Promise<void>
}

export type IndexPorts = { readonly clock: Pick<Clock, 'wallMs'>; readonly home: Pick<Home, 'change' | 'read'> }

const raceNs = 2_000_000_000n
const mostEntries = 200_000
/** Old indexes are removed to limit their number. */
const slots = 64
const digestLength = 64

/** File systems by their statfs(2) numbers: local ones, with stable inodes and times. */
const steadyFileSystems: ReadonlySet<number> = new Set([
  0xef53, // ext2, ext3, ext4
  0x5846_5342, // xfs
  0x9123_683e, // btrfs
  0x0102_1994, // tmpfs
  0x794c_7630, // overlayfs
  0x2fc1_2fc1, // zfs
  0xf2f5_2010, // f2fs
  0xca45_1a4e, // bcachefs
])

const noIndex: ContextIndex = { digestOf: () => undefined, keep: () => {}, save: () => Promise.resolve() }

/** Everything that changes when a file is touched, except its content. */
const stateOf = ({ ctimeNs, device, inode, mode, mtimeNs, size }: FileEntry): string =>
  `${size},${mode},${mtimeNs},${ctimeNs},${inode},${device}`

/** Identifies a context and the selection of its files. `undefined` when no index can be kept for it. */
const headOf = (root: string, ignore: string): { readonly line: string; readonly device: bigint } | undefined => {
  if (process.platform !== 'linux' || root.includes('\n')) return undefined
  try {
    if (!steadyFileSystems.has(statfsSync(root).type)) return undefined
    const { dev, ino } = statSync(root, { bigint: true })
    const ignored = createHash('sha256').update(ignore).digest('hex')
    return { line: `context 1 ${dev} ${ino} ${ignored} ${root}`, device: dev }
  } catch {
    return undefined
  }
}

const fileOf = (root: string, ignore: string): string => {
  const slot = createHash('sha256').update(`${ignore}\0${root}`).digest().readUInt32BE() % slots
  return `cache/contexts/${slot}`
}

type KnownDigests = Map<string, string>

/** One line per file: digest, state, path. An index that cannot be read is ignored. */
const readIndex = (text: string | undefined, head: string): KnownDigests => {
  const known: KnownDigests = new Map()
  const [first, ...lines] = text?.split('\n') ?? []
  if (first !== head || lines.at(-1) !== '') return known
  for (const line of lines) {
    const end = line.indexOf(' ', digestLength + 1)
    if (end > digestLength) known.set(line.slice(end + 1), line.slice(0, end))
  }
  return known
}

/** `root`: as realpath returns it. To be opened before the first file is looked at. */
export const openIndex = async (
  { clock, home }: IndexPorts,
  { ignore, root }: { readonly root: string; readonly ignore: string },
): Promise<ContextIndex> => {
  const head = headOf(root, ignore)
  if (head === undefined) return noIndex
  const file = fileOf(root, ignore)
  const youngest = BigInt(Math.floor(clock.wallMs())) * 1_000_000n - raceNs
  const text = pipe(
    home.read(file),
    TE.getOrElseW(() => async () => undefined),
  )
  const known = readIndex(await text(), head.line)
  const next: Array<string> = []
  let isNew = false
  const add = (digest: string, { path }: FileEntry, state: string): void => {
    if (!path.includes('\n') && !isRaw(path)) next.push(`${digest} ${state} ${path}`)
  }
  return {
    digestOf: (entry) => {
      const state = stateOf(entry)
      const found = known.get(entry.path)
      if (found === undefined || found.length !== digestLength + 1 + state.length || !found.endsWith(state)) {
        return undefined
      }
      const digest = found.slice(0, digestLength)
      add(digest, entry, state)
      return Buffer.from(digest, 'hex')
    },
    keep: (entry, digest) => {
      const { ctimeNs, device, mtimeNs } = entry
      if (device !== head.device || mtimeNs >= youngest || ctimeNs >= youngest) return
      isNew = true
      add(digest.toString('hex'), entry, stateOf(entry))
    },
    save: async () => {
      if ((!isNew && next.length === known.size) || next.length > mostEntries) return
      // The index is optional: if it cannot be written, all files are read again.
      await home.change(file, () => ({ _tag: 'Right', right: `${[head.line, ...next].join('\n')}\n` }))()
    },
  }
}
