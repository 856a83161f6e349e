import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path/posix'
import { defineLoader } from 'vitepress'
import type { Files } from './messages.ts'

export type Example = { readonly name: string; readonly files: Files }

const folder = join(import.meta.dirname, '../../../examples')

/** Those of the documentation, the first of which is shown at first. */
const names = ['vote', 'wordpress', 'shop', 'monorepo', 'notes', 'hot-reload', 'manifest-commands']

const filesOf = (name: string): Files => {
  const files = readdirSync(join(folder, name), { recursive: true, withFileTypes: true, encoding: 'utf8' })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [path.slice(join(folder, name).length + 1), readFileSync(path, 'utf8')] as const)
  const isMain = (path: string): boolean => path === 'compose.yaml' || path === 'devtool.yml'
  return Object.fromEntries(files.toSorted(([a], [b]) => Number(isMain(b)) - Number(isMain(a)) || (a < b ? -1 : 1)))
}

declare const data: ReadonlyArray<Example>

export { data }

export default defineLoader({
  watch: [join(folder, '**')],
  load: (): ReadonlyArray<Example> => names.map((name) => ({ name, files: filesOf(name) })),
})
