/** Why a file cannot be read or sent. */
import { visible } from '../../../domain/text/visible.ts'

/**
 * `path` is relative to the folder and safe to print; '.' is the folder itself. `isOutside`: it lies outside the folder
 * that reading is confined to.
 */
export type Unsendable = { readonly path: string; readonly cause: string; readonly isOutside?: boolean }

export const outside = 'it is outside the project folder'

const reasons: ReadonlyMap<string, string> = new Map([
  ['EACCES', 'permission denied'],
  ['EPERM', 'permission denied'],
  ['ENOENT', 'it does not exist'],
  ['ENOTDIR', 'it does not exist'],
  ['ELOOP', 'it became a symbolic link while it was sent'],
  ['ENXIO', 'it is no longer a regular file'],
  ['EIO', 'the disk reports an error'],
  ['EMFILE', 'too many open files'],
  ['ENAMETOOLONG', 'the path is too long'],
])

const codeOf = (cause: unknown): string | undefined =>
  typeof cause === 'object' && cause !== null && 'code' in cause && typeof cause.code === 'string'
    ? cause.code
    : undefined

export const isGone = (cause: unknown): boolean => ['ENOENT', 'ENOTDIR'].includes(codeOf(cause) ?? '')

export const isDenied = (cause: unknown): boolean => ['EACCES', 'EPERM'].includes(codeOf(cause) ?? '')

const reasonOf = (cause: unknown): string => {
  const code = codeOf(cause)
  return (code === undefined ? undefined : reasons.get(code)) ?? code ?? String(cause)
}

/** Bytes that are not UTF-8 are shown as escapes: `a\xff.txt`. */
export const unsendable = (path: string, cause: unknown): Unsendable => ({
  path: path === '' ? '.' : visible(path).replaceAll(/\\udc([89a-f][0-9a-f])/g, '\\x$1'),
  cause: typeof cause === 'string' ? cause : reasonOf(cause),
})
