/**
 * Which test files can share a process: those that reach no module of Node, and so change nothing that another one sees.
 */
import { existsSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, join } from 'node:path/posix'
import { importsOf, parse } from './imports.ts'

/** A global that imports do not show. In `src` only adapters and the command line use it. */
const usesProcess = /\bprocess\.|\bglobalThis\b/

/** What a file imports when it runs. */
const runtimeImports = (file: string): ReadonlyArray<string | undefined> =>
  importsOf(parse(file)).flatMap(({ from, isType }) => (isType ? [] : [from]))

/** `known`: files that have been judged. One that is still being judged is no reason against itself. */
const isPure = (file: string, known: Map<string, boolean>): boolean => {
  const judged = known.get(file)
  if (judged !== undefined) return judged
  known.set(file, true)
  const verdict =
    existsSync(file) &&
    !(file.startsWith('test/') && usesProcess.test(readFileSync(file, 'utf8'))) &&
    runtimeImports(file).every((from) => {
      if (from?.startsWith('.') === true) return isPure(join(dirname(file), from), known)
      return from !== undefined && !isBuiltin(from)
    })
  known.set(file, verdict)
  return verdict
}

/** The test files that can share a process, and the others. */
export const splitPure = (
  files: ReadonlyArray<string>,
): { readonly pure: ReadonlyArray<string>; readonly others: ReadonlyArray<string> } => {
  const known = new Map<string, boolean>()
  const pure = new Set(files.filter((file) => isPure(file, known)))
  return { pure: [...pure], others: files.filter((file) => !pure.has(file)) }
}
