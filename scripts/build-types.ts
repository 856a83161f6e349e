/** The published types of the library: those that its exports refer to, and no others. */
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path/posix'
import { arrowsOf, importsOf, listFiles, parse } from './imports.ts'

const declared = (file: string): string => file.replace(/(?:\.d)?\.(?:ts|js)$/, '.d.ts')

/**
 * Removes the declarations below `folder` that `entry` does not refer to. Returns the packages that the others refer
 * to.
 */
export const keepTypesOf = (folder: string, entry: string): ReadonlyArray<string> => {
  const kept = new Set<string>()
  const packages = new Set<string>()
  const follow = (file: string): void => {
    if (kept.has(file)) return
    kept.add(file)
    const source = parse(file)
    for (const { from } of importsOf(source)) if (from?.startsWith('.') === false) packages.add(from)
    for (const { to } of arrowsOf(source)) follow(declared(to))
  }
  follow(entry)
  for (const file of listFiles(folder)) if (file.endsWith('.d.ts') && !kept.has(file)) rmSync(file)
  removeEmpty(folder)
  return [...packages]
}

const removeEmpty = (folder: string): void => {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue
    const path = join(folder, entry.name)
    removeEmpty(path)
    if (readdirSync(path).length === 0) rmSync(path, { recursive: true })
  }
}
