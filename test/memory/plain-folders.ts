/** The port `PlainFolders` over a map of files, for tests. */
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { textOf } from '../../src/domain/compose/file-content.ts'
import { type Diagnostic, error } from '../../src/domain/diagnostic/diagnostic.ts'
import type { FolderEntry } from '../../src/domain/plan/file-changes.ts'
import { normalise } from '../../src/domain/text/path.ts'
import type { PlainFolders } from '../../src/ports/plain-folders.ts'
import { type Entry, text } from './files.ts'

export const memoryPlainFolders = (entries: Map<string, Entry>): PlainFolders => {
  const refused = (folder: string): Diagnostic | undefined => {
    const entry = entries.get(normalise(folder))
    if (entry === undefined) return undefined
    const what = entry._tag === 'Link' ? 'a symbolic link' : 'a file'
    return error('DT2007', `${folder} is ${what}`, { help: 'choose another folder' })
  }
  const within = <A>(folder: string, name: string, run: (path: string) => E.Either<Diagnostic, A>) =>
    TE.fromIOEither(() => {
      const fault = refused(folder)
      return fault === undefined ? run(normalise(`${folder}/${name}`)) : E.left(fault)
    })
  const entryAt = (path: string): FolderEntry => {
    const entry = entries.get(path)
    if (entry === undefined) {
      const isFolder = [...entries.keys()].some((other) => other.startsWith(`${path}/`))
      return isFolder ? { _tag: 'Other', what: 'a folder' } : { _tag: 'Absent' }
    }
    if (entry._tag === 'Link') return { _tag: 'Other', what: 'a symbolic link' }
    const content = entry._tag === 'File' ? textOf(entry.bytes) : undefined
    if (content === undefined) return { _tag: 'Other', what: 'not a text of ours' }
    return { _tag: 'File', text: content }
  }
  const locked = new Set<string>()
  return {
    lock: (folder) =>
      within(folder, '', (path) => {
        if (locked.has(path)) return E.left(error('DT2106', `another devtool process is using ${folder}`))
        locked.add(path)
        return E.right({ release: () => void locked.delete(path) })
      }),
    look: (folder, name) => within(folder, name, (path) => E.right(entryAt(path))),
    put: (folder, name, content) =>
      within(folder, name, (path) => {
        if (entryAt(path)._tag === 'Other' && entries.get(path) === undefined) {
          return E.left(error('DT2006', `cannot write ${path}: it is a folder`))
        }
        entries.set(path, text(content))
        return E.right(undefined)
      }),
    remove: (folder, name) =>
      within(folder, name, (path) => {
        entries.delete(path)
        return E.right(undefined)
      }),
  }
}
