/** What a path leads to: the content of a file, or why there is none. */
import type { Checked } from '../checked.ts'
import * as C from '../checked.ts'
import { type Diagnostic, error } from '../diagnostic/diagnostic.ts'
import type { Span } from '../text/source.ts'
import { limits } from '../yaml/limits.ts'

/**
 * `Outside`: it exists but may not be read, since reading is confined to the project folder. `TooMany`: it was not
 * looked up, because the project refers to too many files.
 */
export type FileContent =
  | { readonly _tag: 'File'; readonly bytes: Uint8Array }
  | { readonly _tag: 'Missing' }
  | { readonly _tag: 'NotAFile' }
  | { readonly _tag: 'Outside' }
  | { readonly _tag: 'TooLarge' }
  | { readonly _tag: 'TooMany' }
  | { readonly _tag: 'Unreadable'; readonly reason: string }

/** What a path points to, after following links. */
export type EntryKind = 'File' | 'Folder' | 'Other' | 'Missing'

/** Why a path has no content, at the place that names it. */
export const contentFault = (path: string, content: FileContent, at: Span | undefined): Diagnostic | undefined => {
  switch (content._tag) {
    case 'File':
      return undefined
    case 'Missing':
      if (/^(?:[a-z][a-z+]+:\/|git@)/.test(path)) {
        return error('DT1007', `${path} is not a file of this machine`, {
          at,
          help: 'clone the repository or download the file, and name its path here',
        })
      }
      return error('DT1007', `file not found: ${path}`, {
        at,
        help: at === undefined ? 'check the path' : 'check the path; it is relative to the file that names it',
      })
    case 'NotAFile':
      return error('DT1007', `not a regular file: ${path}`, { at })
    case 'Unreadable':
      return error('DT1007', `cannot read ${path}: ${content.reason}`, { at })
    case 'TooLarge':
      return error('DT1006', `${path} is larger than ${limits.characters / 1024 / 1024} MiB`, { at })
    case 'TooMany':
      return error('DT1006', `${path} is one file too many: no more are read`, { at })
    case 'Outside':
      return error('DT1008', `${path} is outside the project folder`, {
        at,
        help: 'DEVTOOL_CONFINED is set: move the file into the project folder',
      })
  }
}

/** UTF-8 text; `undefined` when the bytes are something else. */
export const textOf = (bytes: Uint8Array): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** Text of a file, or the diagnostic that explains why there is none. */
export const textContent = (path: string, content: FileContent, at: Span | undefined): Checked<string> => {
  const isTooLarge = content._tag === 'File' && content.bytes.length > limits.characters
  const fault = contentFault(path, isTooLarge ? { _tag: 'TooLarge' } : content, at)
  if (fault !== undefined) return C.fail(fault)
  if (content._tag !== 'File') return C.ok('')
  const text = textOf(content.bytes)
  return text === undefined ? C.fail(error('DT1007', `${path} is not UTF-8 text`, { at })) : C.ok(text)
}
