/** Names in a tree that are not the user's, and paths that may be meant by the other end. */
import { sep } from 'node:path'
import { sha256 } from '../../domain/text/sha256.ts'

/** In the root. */
const folderMarker = '.devtool-sync'
const fileMarkerForm = /^\.devtool-sync\.[0-9a-f]{8}$/

/** `file`: the only one of the folder that is synchronised; others of it may be on their own. */
export const markerOf = (file: string | undefined): string =>
  file === undefined ? folderMarker : `${folderMarker}.${sha256(file).slice(0, 8)}`

/** Of files that are half written, in the folder where they are needed: a place, a process, its start, and a number. */
export const unfinishedPrefix = '.devtool-sync-'
const unfinishedForm = /^\.devtool-sync-[0-9a-f]{8}-[0-9]+-[0-9]*-[0-9]+$/

/** Another name that begins like them is the user's: what is unfinished is deleted. */
export const isUnfinished = (name: string): boolean => unfinishedForm.test(name)
export const isReserved = (name: string): boolean =>
  name === folderMarker || fileMarkerForm.test(name) || isUnfinished(name)

const isSeparated = (text: string): boolean => text.includes('\0') || (sep === '\\' && text.includes(sep))

/** Of a file that may be synchronised. */
export const isName = (name: string): boolean =>
  name !== '' && name !== '.' && name !== '..' && !name.includes('/') && !isSeparated(name) && !isReserved(name)

/** Trees are compared folder within folder. */
export const mostDepth = 256

/** The root is none. */
export const isPath = (path: string): boolean => {
  const names = path.split('/')
  return path.length <= 4096 && names.length <= mostDepth && names.every(isName)
}
