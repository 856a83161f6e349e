/** A tree served to the builder: a folder, or a single text presented as a file in one. */
import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Served } from '../../../domain/build/solve.ts'
import { compilePatterns, matchBelow, type Patterns } from '../../../domain/ignore/patterns.ts'
import { visible } from '../../../domain/text/visible.ts'
import { realPathWithin } from '../../paths/within.ts'
import { followLinks, withoutNested } from './follow.ts'
import type { FileFilter } from './headers.ts'
import { type OpenedFile, openFile, type Reader, readOpened } from './read.ts'
import { outside, type Unsendable, unsendable } from './reason.ts'
import { type Filter, type Walk, walkFolder } from './walk.ts'

/** `root`: the real path of a folder. */
export type Tree = {
  readonly root?: string
  readonly walk: (filter: Filter) => Walk
  readonly follow: (paths: ReadonlyArray<string>) => E.Either<Unsendable, ReadonlyArray<string> | undefined>
  readonly read: <F>(path: string, reader: Reader<F>) => Promise<Unsendable | undefined>
}

const readFile = <F>(
  opened: E.Either<Unsendable, OpenedFile>,
  path: string,
  reader: Reader<F>,
): Promise<Unsendable | undefined> =>
  E.isLeft(opened) ? Promise.resolve(opened.left) : readOpened(opened.right, path, reader)

/** The real path of the folder. Left: it cannot be entered, is no folder, or is outside `within`. */
export const rootOf = (folder: string, within: string | undefined): E.Either<Unsendable, string> => {
  try {
    const root = realPathWithin(within, folder)
    if (root === undefined) return E.left({ ...unsendable('', outside), isOutside: true })
    return statSync(root).isDirectory() ? E.right(root) : E.left(unsendable('', 'it is not a folder'))
  } catch (cause) {
    return E.left(unsendable('', cause))
  }
}

const folderTree = (root: string): Tree => ({
  root,
  walk: (filter) => walkFolder(root, filter),
  follow: (paths) => followLinks(root, paths),
  read: (path, reader) => readFile(openFile(root, path), path, reader),
})

/** A builder reuses its copy of a file with the same size and time, so the time is derived from the text. */
const timeOf = (bytes: Uint8Array): bigint =>
  BigInt(`0x${createHash('sha256').update(bytes).digest('hex').slice(0, 12)}`)

const isOut = ({ include, exclude }: Filter, file: string): boolean =>
  (include !== undefined && !matchBelow(include, file, []).isMatch) ||
  (exclude !== undefined && matchBelow(exclude, file, []).isMatch)

const textTree = (file: string, text: string): Tree => {
  const bytes = Buffer.from(text)
  return {
    *walk(filter) {
      if (isOut(filter, file)) return undefined
      yield {
        path: file,
        kind: 'File',
        mode: 0o644,
        size: bytes.length,
        mtimeNs: timeOf(bytes),
        link: '',
        major: 0,
        minor: 0,
        ctimeNs: 0n,
        inode: 0n,
        device: 0n,
      }
      return undefined
    },
    follow: (paths) => E.right(withoutNested(paths.toSorted())),
    read: async (_, reader) => {
      for (let at = 0; at < bytes.length; at += 128 * 1024) {
        const part = bytes.subarray(at, at + 128 * 1024)
        const { frame, room } = reader.frame(part.length)
        room.set(part)
        if (!(await reader.take(frame, part.length, part.length))) break
      }
      return undefined
    },
  }
}

/** `within`: folders outside of this one are refused. */
export const treeOf = (served: Served, within: string | undefined): E.Either<Unsendable, Tree> =>
  served._tag === 'Folder'
    ? E.map(folderTree)(rootOf(served.path, within))
    : E.right(textTree(served.file, served.text))

export const compiled = (patterns: ReadonlyArray<string>): E.Either<Unsendable, Patterns> =>
  pipe(
    compilePatterns(patterns),
    E.mapLeft((pattern) =>
      unsendable('', `${visible(JSON.stringify(pattern))} is not a pattern that BuildKit understands`),
    ),
  )

/** The requested paths with the targets of links; Left names an invalid pattern, or what cannot be read. */
export const filterOf = (tree: Tree, { include, exclude, follow }: FileFilter): E.Either<Unsendable, Filter> =>
  pipe(
    follow === undefined ? E.right(undefined) : tree.follow(follow),
    E.map((followed) => (followed === undefined ? include : (withoutNested([...include, ...followed]) ?? []))),
    E.bindTo('chosen'),
    E.bind('included', ({ chosen }) => compiled(chosen)),
    E.bind('excluded', () => compiled(exclude)),
    E.map(({ chosen, excluded, included }) => ({
      ...(chosen.length === 0 ? {} : { include: included }),
      ...(exclude.length === 0 ? {} : { exclude: excluded }),
    })),
  )
