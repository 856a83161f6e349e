/**
 * Finds the files that `include` and `extends` name, before anything is merged. What waits for a file is continued when
 * that is there, so that a chain of files costs no more than as many files side by side.
 */
import { newBudget } from '../yaml/budget.ts'
import { get, type Mapping, type Node } from '../yaml/node.ts'
import { type Assembling, emptyAssembling, type FileScope, readTree } from './assembling.ts'
import { type ExtendedFile, extendsOf, longestExtends, originOf, readTarget } from './extends.ts'
import type { Files } from './files.ts'
import { deepestInclude, includedFiles, mostIncluded } from './include.ts'

type File = Parameters<typeof readTree>[1]

/** Returns what it leads to; with a file missing it does nothing, and is repeated. */
type Job = (assembling: Assembling) => ReadonlyArray<Job>

/** `seen`: files, and services of files, that are looked for or were found. */
export type Search = {
  readonly known: Assembling['known']
  readonly budget: Files['budget']
  readonly seen: Set<string>
  /** Those of a file by name. */
  readonly services: Map<Mapping, ReadonlyMap<string, Node>>
  jobs: ReadonlyArray<Job>
  included: number
}

const isNew = ({ seen }: Search, ...parts: ReadonlyArray<string>): boolean => {
  const key = parts.join('\0')
  return !seen.has(key) && seen.add(key) !== undefined
}

const servicesIn = (root: Mapping): Mapping['entries'] => {
  const services = get(root, 'services')
  return services?._tag === 'Mapping' ? services.entries : []
}

const serviceIn = ({ services }: Search, root: Mapping, name: string): Node | undefined => {
  const known = services.get(root) ?? new Map(servicesIn(root).map(({ key, value }) => [key.text, value]))
  services.set(root, known)
  return known.get(name)
}

const serviceJob =
  (search: Search, scope: FileScope, from: ExtendedFile, written: Node, depth: number): Job =>
  (assembling) => {
    const target = readTarget(assembling, written)
    const into = target === undefined ? undefined : originOf(assembling, from, target, scope)
    if (target === undefined || into === undefined || depth > longestExtends) return []
    if (!isNew(search, 'service', scope.id, into.path, target.service)) return []
    const base = serviceIn(search, into.root, target.service)
    const next = base === undefined ? undefined : extendsOf(base)
    return next === undefined ? [] : [serviceJob(search, scope, into, next, depth + 1)]
  }

const includeJob =
  (search: Search, scope: FileScope, item: Node, chain: ReadonlyArray<string>): Job =>
  (assembling) => {
    const before = assembling.missing
    const included = includedFiles(assembling, item, scope, chain)
    if (included === undefined || assembling.missing > before) return []
    search.included += included.files.length
    const isTooMany = chain.length > deepestInclude || search.included > mostIncluded
    return isTooMany ? [] : fileJobs(search, included.scope, included.files, chain)
  }

const fileJobs = (
  search: Search,
  scope: FileScope,
  files: ReadonlyArray<Omit<File, 'folder'> & { readonly folder?: string }>,
  chain: ReadonlyArray<string>,
): ReadonlyArray<Job> =>
  files.flatMap((written): ReadonlyArray<Job> => {
    const file = { ...written, folder: written.folder ?? scope.folder }
    if (!isNew(search, 'file', scope.id, file.folder, file.path)) return []
    const job: Job = (assembling) => {
      const root = readTree(assembling, file, scope)
      if (root === undefined) return []
      const include = get(root, 'include')
      const items = include?._tag === 'Sequence' ? include.items : []
      const bases = servicesIn(root).flatMap(({ value }) => extendsOf(value) ?? [])
      return [
        ...items.map((item) => includeJob(search, scope, item, [...chain, file.path])),
        // One of the same file is looked at anyway.
        ...bases
          .filter((base) => get(base, 'file') !== undefined)
          .map((base) => serviceJob(search, scope, { ...file, root }, base, 1)),
      ]
    }
    return [job]
  })

export const newSearch = (
  files: ReadonlyArray<Omit<File, 'folder'> & { readonly folder?: string }>,
  scope: FileScope,
): Search => {
  const search: Search = {
    known: new Map(),
    budget: newBudget(),
    seen: new Set(),
    services: new Map(),
    jobs: [],
    included: 0,
  }
  search.jobs = fileJobs(search, scope, files, [])
  return search
}

/** Requests the files that are missing; whether there are none. Findings are left to who merges the files. */
export const hasAllFiles = (search: Search, files: Files): boolean => {
  const assembling = emptyAssembling({ ...files, budget: search.budget }, search.known)
  const waiting: Array<Job> = []
  const todo = [...search.jobs]
  for (const job of todo) {
    const before = assembling.missing
    const further = job(assembling)
    if (assembling.missing > before) waiting.push(job)
    else for (const one of further) todo.push(one)
  }
  search.jobs = waiting
  return waiting.length === 0
}
