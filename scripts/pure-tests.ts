/** Which test files can share a process: those that import no module of Node, and so do not affect each other. */
import { existsSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, join } from 'node:path/posix'
import { importsOf, parse } from './imports.ts'

/** A global that imports do not show. In `src` only adapters and the command line use it. */
const usesProcess = /\bprocess\.|\bglobalThis\b/

/** The imports of a file at run time. */
const runtimeImports = (file: string): ReadonlyArray<string | undefined> =>
  importsOf(parse(file)).flatMap(({ from, isType }) => (isType ? [] : [from]))

/** `known`: files that have been judged. A file that is still being judged counts as pure in a cycle. */
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
