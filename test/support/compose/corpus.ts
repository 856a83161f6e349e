/** The real Compose projects of test/corpus, and the manifests of the golden cases, as files in memory. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import type { Files } from './project.ts'

const root = join(import.meta.dirname, '../../corpus/awesome-compose')
const cases = join(import.meta.dirname, '../../golden/cases')

/** `main` is the Compose file among `files`, whose paths are relative to the project. */
export type RealProject = { readonly name: string; readonly main: string; readonly files: Files }

/** Every file below a folder, by its path with forward slashes. */
export const filesBelow = (folder: string): Readonly<Record<string, Uint8Array>> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .toSorted()
      .map((path) => [relative(folder, path).split(sep).join('/'), new Uint8Array(readFileSync(path))]),
  )

export const corpus: ReadonlyArray<RealProject> = readdirSync(root)
  .toSorted()
  .map((name) => {
    const files = filesBelow(join(root, name))
    const main = Object.keys(files).find((path) => /^compose\.ya?ml$/.test(path))
    if (main === undefined) throw new Error(`${name} has no Compose file`)
    return { name, main, files }
  })

export const manifests: ReadonlyArray<RealProject> = readdirSync(cases)
  .toSorted()
  .flatMap((name) => {
    const files = filesBelow(join(cases, name))
    const main = Object.keys(files).find((path) => /(?:^|\/)devtool\.ya?ml$/.test(path))
    return main === undefined ? [] : [{ name, main, files }]
  })

export const textOfFile = (content: string | Uint8Array | undefined): string =>
  typeof content === 'string' ? content : new TextDecoder().decode(content)
