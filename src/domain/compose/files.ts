/** The files that a Compose file refers to. Reading requests them by path; the caller fetches them. */
import type { Checked } from '../checked.ts'
import * as C from '../checked.ts'
import { error } from '../diagnostic/diagnostic.ts'
import { source } from '../text/source.ts'
import { type Budget, newBudget } from '../yaml/budget.ts'
import { limits } from '../yaml/limits.ts'
import type { Node } from '../yaml/node.ts'
import { readYaml } from '../yaml/read.ts'
import { type EntryKind, type FileContent, textContent } from './file-content.ts'

/**
 * What a path leads to when links are followed, as long as they stay in the project; `real` is that place. `Outside`:
 * they do not. `TooMany`: it was not looked up.
 */
export type HostEntry =
  | { readonly _tag: 'File'; readonly real: string; readonly isExecutable: boolean; readonly sizeBytes: number }
  | { readonly _tag: 'Folder'; readonly real: string; readonly names: ReadonlyArray<string> }
  | { readonly _tag: 'Missing' }
  | { readonly _tag: 'Outside' }
  | { readonly _tag: 'TooMany' }
  | { readonly _tag: 'Other' }

/** Files of the project that services mount: never read outside of its folder. */
type HostFiles = {
  /** The project folder. */
  readonly folder: string
  readonly look: (path: string) => HostEntry | undefined
  readonly read: (path: string) => FileContent | undefined
}

/** The files fetched so far; `undefined` for those not fetched yet. */
export type Files = {
  readonly want: (path: string) => FileContent | undefined
  readonly kind: (path: string) => EntryKind | undefined
  readonly host: HostFiles
  /** The files read so far are larger than a project may be: no more are parsed. */
  readonly isFull: boolean
  /** The YAML documents of a file, parsed once however often they are asked for. */
  readonly documents: (path: string, folder: string) => Checked<ReadonlyArray<Node>> | undefined
  /** Shared by everything that is made from these files. */
  readonly budget: Budget
}

/** For their content (`wanted`) or their kind (`looked`); of host files likewise. */
type MissingFiles = {
  readonly wanted: ReadonlyArray<string>
  readonly looked: ReadonlyArray<string>
  readonly hosted: ReadonlyArray<string>
  readonly entries: ReadonlyArray<string>
}

/** Files that keep track of requests they could not answer. */
export type AskedFiles = Files & {
  /** Paths that were requested but not known. */
  readonly missing: () => MissingFiles
  readonly isComplete: () => boolean
}

/** What is known about the files of a project; `trees`: files that have been parsed already. */
export type Contents = {
  readonly isFull: boolean
  readonly content: (path: string) => FileContent | undefined
  readonly kind: (path: string) => EntryKind | undefined
  readonly host: Omit<HostFiles, 'folder'>
  readonly home: string | undefined
  readonly trees: Map<string, Checked<ReadonlyArray<Node>>>
}

const parse = (path: string, folder: string, content: FileContent, home?: string): Checked<ReadonlyArray<Node>> =>
  C.andThen((text: string) => readYaml(source(path, folder, text, home)))(textContent(path, content, undefined))

const tooMuch = (path: string): Checked<ReadonlyArray<Node>> =>
  C.fail(
    error('DT1006', `the files of the project have more than ${limits.bytes / 1024 / 1024} MiB: ${path} is not read`, {
      at: { source: source(path, '.', ''), start: 0, end: 0 },
    }),
  )

/** A view on what is known now; `folder`: that of the project. */
export const filesFrom = ({ content, home, host, isFull, kind, trees }: Contents, folder: string): AskedFiles => {
  const [wanted, looked] = [new Set<string>(), new Set<string>()]
  const [hosted, entries] = [new Set<string>(), new Set<string>()]
  const remembering =
    <A>(known: (path: string) => A | undefined, missing: Set<string>) =>
    (path: string): A | undefined => {
      const found = known(path)
      if (found === undefined) missing.add(path)
      return found
    }
  const want = remembering(content, wanted)
  return {
    want,
    kind: remembering(kind, looked),
    host: { folder, look: remembering(host.look, entries), read: remembering(host.read, hosted) },
    budget: newBudget(),
    isFull,
    documents: (path, base) => {
      const key = `${base}\0${path}`
      const found = want(path)
      if (found === undefined) return undefined
      const known = trees.get(key)
      if (known !== undefined) return known
      if (isFull) return tooMuch(path)
      const parsed = parse(path, base, found, home)
      trees.set(key, parsed)
      return parsed
    },
    missing: () => ({ wanted: [...wanted], looked: [...looked], hosted: [...hosted], entries: [...entries] }),
    isComplete: () => wanted.size + looked.size + hosted.size + entries.size === 0,
  }
}
