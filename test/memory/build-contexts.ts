/** The port `BuildContexts` over a map of files, for tests. */
import { createHash } from 'node:crypto'
import * as E from 'fp-ts/lib/Either.js'
import { type Diagnostic, error } from '../../src/domain/diagnostic/diagnostic.ts'
import { ignorePatterns } from '../../src/domain/ignore/ignore.ts'
import { compilePatterns, matchBelow, type Patterns } from '../../src/domain/ignore/patterns.ts'
import type { BuildContexts, ContextChoice } from '../../src/ports/build-contexts.ts'

type ContextFile = { readonly path: string; readonly text: string }

const isIgnored = (patterns: Patterns, path: string): boolean => {
  const parts = path.split('/')
  let above: ReadonlyArray<number> = []
  let isMatch = false
  for (let count = 1; count <= parts.length; count += 1) {
    const verdict = matchBelow(patterns, parts.slice(0, count).join('/'), above)
    above = verdict.matched
    isMatch = verdict.isMatch
  }
  return isMatch
}

const kept = (
  files: ReadonlyMap<string, string>,
  { folder, ignore }: ContextChoice,
): E.Either<Diagnostic, ReadonlyArray<ContextFile>> => {
  const patterns = compilePatterns(ignorePatterns(ignore))
  if (E.isLeft(patterns)) return E.left(error('DT4010', `${folder}/.dockerignore: ${patterns.left}`))
  const prefix = folder === '/' ? '/' : `${folder}/`
  const found = [...files].flatMap(([path, text]) =>
    path.startsWith(prefix) ? [{ path: path.slice(prefix.length), text }] : [],
  )
  if (found.length === 0) return E.left(error('DT4032', `build context ${folder}: it does not exist`))
  const left = found.filter(({ path }) => !isIgnored(patterns.right, path))
  return E.right(left.toSorted((a, b) => (a.path < b.path ? -1 : 1)))
}

/** `files`: texts by absolute path. A folder exists when it contains a file; `largest` lists files. */
export const memoryBuildContexts = (files: ReadonlyMap<string, string>): BuildContexts => ({
  hash: (choice) => async () =>
    E.map((all: ReadonlyArray<ContextFile>) => createHash('sha256').update(JSON.stringify(all)).digest('hex'))(
      kept(files, choice),
    ),
  weigh: (choice) => async () =>
    E.map((all: ReadonlyArray<ContextFile>) => {
      const weighed = all.map(({ path, text }) => ({ path, bytes: Buffer.byteLength(text) }))
      return {
        files: weighed.length,
        bytes: weighed.reduce((sum, { bytes }) => sum + bytes, 0),
        largest: weighed.toSorted((a, b) => b.bytes - a.bytes).slice(0, 10),
      }
    })(kept(files, choice)),
})
