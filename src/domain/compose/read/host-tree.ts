/** The files of a mount of this machine that can become a ConfigMap, and those that are left out. */
import { within } from '../../text/path.ts'
import type { Files, HostEntry } from '../files.ts'
import type { WhyIgnored } from './host-ignored.ts'
import { isInGit, whyByPath } from './host-secrets.ts'

/** `path`: below the mount; '' for a mounted file. */
export type HostFile = {
  readonly path: string
  readonly bytes: Uint8Array
  readonly isExecutable: boolean
}
export type LeftOut = { readonly place: string; readonly why: string }

/** `sizeBytes`: of the files that are not left out. */
export type HostTree = {
  readonly files: ReadonlyArray<HostFile>
  readonly leftOut: ReadonlyArray<LeftOut>
  readonly sizeBytes: number
}

type FoundFile = {
  readonly place: string
  readonly path: string
  readonly sizeBytes: number
  readonly isExecutable: boolean
}

/** More files than one ConfigMap should have. */
export const mostFiles = 1000

/** Links can lead to the same folder by many paths. */
const mostPaths = 10_000

/** More than anybody nests folders. */
const mostLevels = 64

type TreeWalk = { readonly found: Array<FoundFile>; readonly leftOut: Array<LeftOut>; paths: number }

/** `project`: its real path. `declared`: the real paths of the files of `secrets:`. */
export type HostReader = {
  readonly files: Files
  readonly whyIgnored: WhyIgnored
  readonly project: string
  readonly declared: ReadonlySet<string>
  /** Why a file with this content is left out. Files that several services mount are searched only once. */
  readonly whyByContent: (bytes: Uint8Array) => string | undefined
}

const isTooMuch = ({ found, paths }: TreeWalk): boolean => found.length > mostFiles || paths > mostPaths

/** Why an entry is left out: judged by every name on its path, as written and with links resolved. */
const whyOut = ({ declared, whyIgnored, project }: HostReader, entry: HostEntry): string | undefined => {
  switch (entry._tag) {
    case 'Missing':
    case 'Other':
      return 'not a file'
    case 'TooMany':
      return 'one path too many'
    case 'Outside':
      return 'outside the project folder'
    case 'File':
    case 'Folder':
      if (isInGit(project)) return 'of git'
      if (declared.has(entry.real)) return 'a file of secrets:'
      return whyByPath(within(project, entry.real)) ?? whyIgnored(entry.real, entry._tag === 'Folder')
  }
}

/** `above`: the real folders on the way, which a link could lead back to. */
const walk = (
  reader: HostReader,
  place: string,
  path: string,
  out: TreeWalk,
  above: ReadonlySet<string> = new Set(),
): void => {
  out.paths += 1
  if (isTooMuch(out)) return
  const { host } = reader.files
  const leave = (why: string): void => void out.leftOut.push({ place, why })
  const named = whyByPath(within(host.folder, within(reader.project, place)))
  if (named !== undefined) return leave(named)
  const entry = host.look(place)
  if (entry === undefined) return
  const why = whyOut(reader, entry)
  if (why !== undefined) return leave(why)
  if (entry._tag === 'File') {
    out.found.push({ place, path, sizeBytes: entry.sizeBytes, isExecutable: entry.isExecutable })
    return
  }
  if (entry._tag !== 'Folder') return
  if (above.has(entry.real)) return leave('a link to a folder above it')
  if (above.size >= mostLevels) return leave('nested too deeply')
  const way = new Set([...above, entry.real])
  for (const one of entry.names) walk(reader, `${place}/${one}`, path === '' ? one : `${path}/${one}`, out, way)
}

/**
 * The files at a path of the project. `leftBytes`: when the files are larger, their contents are not read, and there
 * are no files.
 */
export const hostTree = (reader: HostReader, place: string, leftBytes: number): HostTree => {
  const out: TreeWalk = { found: [], leftOut: [], paths: 0 }
  walk(reader, place, '', out)
  const sizeBytes = out.found.reduce((sum, one) => sum + one.sizeBytes, 0)
  if (isTooMuch(out)) return { files: [], leftOut: [], sizeBytes: 0 }
  if (sizeBytes > leftBytes) return { files: [], leftOut: out.leftOut, sizeBytes }
  const files = out.found.flatMap((one): ReadonlyArray<HostFile> => {
    const content = reader.files.host.read(one.place)
    if (content === undefined) return []
    const why = content._tag === 'File' ? reader.whyByContent(content.bytes) : 'not readable'
    if (why !== undefined) out.leftOut.push({ place: one.place, why })
    return content._tag === 'File' && why === undefined ? [{ ...one, bytes: content.bytes }] : []
  })
  return { files, leftOut: out.leftOut, sizeBytes }
}
