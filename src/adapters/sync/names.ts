/** Names in a tree that belong to devtool, and paths that the other end may send. */
import { sep } from 'node:path'
import { sha256 } from '../../domain/text/sha256.ts'

/** In the root. */
const folderMarker = '.devtool-sync'
const fileMarkerForm = /^\.devtool-sync\.[0-9a-f]{8}$/

/** `file`: the only file of the folder that is synchronised; other files in it may be synchronised separately. */
export const markerOf = (file: string | undefined): string =>
  file === undefined ? folderMarker : `${folderMarker}.${sha256(file).slice(0, 8)}`

/**
 * Prefix of unfinished files, in the folder where they are needed, followed by the place, the process, its start, and a
 * number; for those that are held by a digest of their metadata and their name too.
 */
export const unfinishedPrefix = '.devtool-sync-'
const unfinishedForm = /^\.devtool-sync-[0-9a-f]{8}-[0-9]+-[0-9]*-[0-9]+(?:-([0-9a-f]{8})-(.+))?$/s

/** Unfinished files are deleted, so a similar name of the user's must not match. */
export const isUnfinished = (name: string): boolean => unfinishedForm.test(name)

type HeldName = { readonly digest: string; readonly name: string }

/** Undefined for files that are being written. */
export const heldNameOf = (unfinished: string): HeldName | undefined => {
  const [, digest, name] = unfinishedForm.exec(unfinished) ?? []
  return digest === undefined || name === undefined ? undefined : { digest, name }
}

export const isReserved = (name: string): boolean =>
  name === folderMarker || fileMarkerForm.test(name) || isUnfinished(name)

const isSeparated = (text: string): boolean => text.includes('\0') || (sep === '\\' && text.includes(sep))

/** Whether a file of this name may be synchronised. */
export const isName = (name: string): boolean =>
  name !== '' && name !== '.' && name !== '..' && !name.includes('/') && !isSeparated(name) && !isReserved(name)

/** Trees are compared recursively. */
export const mostDepth = 256

/** The root is not a path. */
export const isPath = (path: string): boolean => {
  const names = path.split('/')
  return path.length <= 4096 && names.length <= mostDepth && names.every(isName)
}
