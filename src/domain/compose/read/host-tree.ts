/** The files that a mount of this machine brings, and those that it does not. */
import type { Files } from '../files.ts'
import type { IsIgnored } from './host-ignored.ts'
import { whyByContent, whyByName } from './host-secrets.ts'

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

type Found = {
  readonly place: string
  readonly path: string
  readonly sizeBytes: number
  readonly isExecutable: boolean
}

/** More files than one ConfigMap should have. */
export const mostFiles = 1000

type Walk = { readonly found: Array<Found>; readonly leftOut: Array<LeftOut> }
type HostReader = { readonly files: Files; readonly isIgnored: IsIgnored }

/** `above`: the real folders on the way, which a link could lead back to. */
const walk = (
  { files, isIgnored }: HostReader,
  place: string,
  path: string,
  out: Walk,
  above: ReadonlySet<string> = new Set(),
): void => {
  const name = place.slice(place.lastIndexOf('/') + 1)
  const leave = (why: string): void => void out.leftOut.push({ place, why })
  const why = whyByName(name)
  if (why !== undefined) return leave(why)
  const entry = files.host.look(place)
  if (entry === undefined || out.found.length > mostFiles) return
  if (entry._tag === 'Missing' || entry._tag === 'Other') return leave('not a file')
  if (entry._tag === 'Outside') return leave('outside the project folder')
  const hidden = whyByName(entry.real.slice(entry.real.lastIndexOf('/') + 1))
  if (hidden !== undefined) return leave(hidden)
  if (isIgnored(entry.real, entry._tag === 'Folder')) return leave('ignored by git or .dockerignore')
  if (entry._tag === 'File') {
    out.found.push({ place, path, sizeBytes: entry.sizeBytes, isExecutable: entry.isExecutable })
    return
  }
  if (above.has(entry.real)) return leave('a link to a folder above it')
  const way = new Set([...above, entry.real])
  for (const one of entry.names)
    walk({ files, isIgnored }, `${place}/${one}`, path === '' ? one : `${path}/${one}`, out, way)
}

/**
 * What stands at a place of the project. `leftBytes`: when the files are larger, their contents are not read, and there
 * are no files.
 */
export const hostTree = (around: HostReader, place: string, leftBytes: number): HostTree => {
  const out: Walk = { found: [], leftOut: [] }
  walk(around, place, '', out)
  const sizeBytes = out.found.reduce((sum, one) => sum + one.sizeBytes, 0)
  if (sizeBytes > leftBytes || out.found.length > mostFiles) return { files: [], leftOut: out.leftOut, sizeBytes }
  const files = out.found.flatMap((one): ReadonlyArray<HostFile> => {
    const content = around.files.host.read(one.place)
    if (content === undefined) return []
    const why = content._tag === 'File' ? whyByContent(content.bytes) : 'not readable'
    if (why !== undefined) out.leftOut.push({ place: one.place, why })
    return content._tag === 'File' && why === undefined ? [{ ...one, bytes: content.bytes }] : []
  })
  return { files, leftOut: out.leftOut, sizeBytes }
}
