/**
 * Reads each file of a project once: pure code requests the files that it needs and runs again when they are there.
 * Later requests get the same content, even if the file has changed.
 */

import type { Chosen } from '../../domain/compose/choose.ts'
import type { EntryKind, FileContent } from '../../domain/compose/file-content.ts'
import { type AskedFiles, type Contents, filesFrom, type HostEntry } from '../../domain/compose/files.ts'
import { limits as mostOf } from '../../domain/yaml/limits.ts'
import type { Ports } from '../../ports/ports.ts'
import { bounded } from '../concurrency/bounded.ts'

/**
 * Far more than any project needs. `rounds` and `values`, which counts the copies made in all of them, only limit what
 * nothing else does; `entries` are places that services mount.
 */
const limits = { files: 10_000, entries: 100_000, rounds: 1_000, values: 4_000_000 }

/** What has been read so far. */
export type ReadFiles = Contents & {
  isFull: boolean
  readonly contents: Map<string, FileContent>
  readonly kinds: Map<string, EntryKind>
  /** Files that services mount, read within the project folder only. */
  readonly hosted: { readonly contents: Map<string, FileContent>; readonly entries: Map<string, HostEntry> }
}

/** `shell`: the variables of this machine. */
export const noFilesRead = (shell: ReadonlyMap<string, string>): ReadFiles => {
  const contents = new Map<string, FileContent>()
  const kinds = new Map<string, EntryKind>()
  const hosted = { contents: new Map<string, FileContent>(), entries: new Map<string, HostEntry>() }
  return {
    isFull: false,
    contents,
    kinds,
    hosted,
    home: homeIn(shell),
    content: (path) => contents.get(path),
    kind: (path) => kinds.get(path),
    host: { look: (path) => hosted.entries.get(path), read: (path) => hosted.contents.get(path) },
    trees: new Map(),
  }
}

/** As Node and Compose find it; on Windows HOME is no variable of the system. */
export const homeIn = (shell: ReadonlyMap<string, string>): string | undefined =>
  shell.get('HOME') ?? shell.get('USERPROFILE')

/** Files generated for a chart or manifests count as part of the file that refers to them. */
export const keepMade = (contents: Map<string, FileContent>, { files: [file], made }: Chosen): void => {
  if (made === undefined || file === undefined) return
  contents.set(file, { _tag: 'File', bytes: new TextEncoder().encode(made.text) })
}

const sizeOf = (content: FileContent): number => (content._tag === 'File' ? content.bytes.length : 0)

/** Runs `attempt` until it requests nothing new. `folder`: the project folder, to which reading may be confined. */
export type SettleFiles = <A>(folder: string, attempt: (files: AskedFiles) => A) => Promise<A>

export const settling = ({ files }: Pick<Ports, 'files'>, read: ReadFiles, isConfined: boolean): SettleFiles => {
  let values = 0
  return async (folder, attempt) => {
    const { contents, hosted, kinds } = read
    const known = [...contents.values(), ...hosted.contents.values()]
    let bytes = known.reduce((sum, content) => sum + sizeOf(content), 0)
    for (let round = 0; ; round += 1) {
      const view = filesFrom(read, folder)
      const value = attempt(view)
      if (view.isComplete()) return value
      values += view.budget.values
      const { entries, hosted: mounted, looked, wanted } = view.missing()
      const count = contents.size + hosted.contents.size + wanted.length + mounted.length
      const isFull = count > limits.files || read.isFull || round >= limits.rounds || values > limits.values
      const readInto = async (
        into: Map<string, FileContent>,
        path: string,
        root: string | undefined,
      ): Promise<void> => {
        const content: FileContent = isFull ? { _tag: 'TooMany' } : await files.read(path, { root })()
        bytes += sizeOf(content)
        into.set(path, content)
      }
      await bounded(looked, async (path) => {
        kinds.set(path, await files.kind(path)())
      })
      await bounded(entries, async (path) => {
        const isLast = hosted.entries.size >= limits.entries || round >= limits.rounds
        hosted.entries.set(path, isLast ? { _tag: 'TooMany' } : await files.look(path, folder)())
      })
      await bounded(wanted, (path) => readInto(contents, path, isConfined ? folder : undefined))
      await bounded(mounted, (path) => readInto(hosted.contents, path, folder))
      read.isFull = bytes > mostOf.bytes
    }
  }
}

/** The result of the attempt, which is not repeated once it had all the files that it requested; `undefined` before. */
export const onceComplete = <A>(attempt: (files: AskedFiles) => A): ((files: AskedFiles) => A | undefined) => {
  let done: { readonly value: A } | undefined
  return (files) => {
    if (done !== undefined) return done.value
    const value = attempt(files)
    if (!files.isComplete()) return undefined
    done = { value }
    return value
  }
}
