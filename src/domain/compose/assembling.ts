/** State shared by the parts of one assembly: the files fetched so far, their trees, and the findings. */
import type { Checked } from '../checked.ts'
import * as C from '../checked.ts'
import { type Diagnostic, error } from '../diagnostic/diagnostic.ts'
import { resolvePath } from '../text/path.ts'
import { type Span, STDIN, source } from '../text/source.ts'
import { exhaust, isSpent, sizeOf, spend } from '../yaml/budget.ts'
import { interpolateCompose, type Variables } from '../yaml/interpolate.ts'
import { kindOf, type Mapping, type Node } from '../yaml/node.ts'
import { contentFault, type FileContent, textContent } from './file-content.ts'
import type { Files } from './files.ts'
import { isManifestKey } from './manifest-keys.ts'
import { mergeNodes } from './merge.ts'
import { layered, readVariables, variablesFrom } from './variables.ts'

/**
 * The variables that the files of a project see, and its folder. Files of another folder see `above`, their own `.env`
 * and `below`. `id`: two scopes with one id have the same variables.
 */
export type FileScope = {
  readonly id: string
  readonly folder: string
  readonly variables: Variables
  readonly above: Variables
  readonly below: Variables
}

/** A file once it is read, with its findings, and what its documents count. */
type ReadTree = {
  readonly tree: Mapping | undefined
  readonly found: ReadonlyArray<Diagnostic>
  readonly sizes: ReadonlyArray<{ readonly values: number; readonly at: Node }>
  readonly brought: number
}

/**
 * State shared by the parts of one assembly. `order` lists the files as they were encountered; `included` counts
 * included files, to limit them; `missing` counts requests for files that are not there yet.
 */
export type Assembling = {
  readonly files: Files
  readonly found: Array<Diagnostic>
  readonly order: Set<string>
  readonly trees: Map<string, Mapping | undefined>
  /** Trees read by an earlier attempt, or while looking for files. */
  readonly known: Map<string, ReadTree>
  /** What the env files of other folders say, by scope and folder. */
  readonly folders: Map<string, ReadonlyMap<string, string>>
  included: number
  missing: number
}

export const emptyAssembling = (files: Files, known: Assembling['known'] = new Map()): Assembling => ({
  files,
  found: [],
  order: new Set(),
  trees: new Map(),
  known,
  folders: new Map(),
  included: 0,
  missing: 0,
})

const contentOf = (assembling: Assembling, path: string): FileContent | undefined => {
  const content = assembling.files.want(path)
  if (content === undefined) assembling.missing += 1
  return content
}

/**
 * Values of env files, later ones overriding earlier ones. A missing file is skipped, unless it was asked for
 * explicitly.
 */
export const envFileValues = (
  assembling: Assembling,
  paths: ReadonlyArray<{ readonly path: string; readonly at?: Node; readonly isRequired: boolean }>,
  outer: Variables,
): ReadonlyMap<string, string> => {
  const values = new Map<string, string>()
  for (const { path, at, isRequired } of paths) {
    const content = contentOf(assembling, path)
    if (content === undefined || (content._tag === 'Missing' && !isRequired)) continue
    const fault = contentFault(path, content, at)
    if (fault !== undefined) {
      assembling.found.push(fault)
      continue
    }
    assembling.order.add(path)
    const read = C.andThen((text: string) => readVariables(source(path, '.', text), outer, variablesFrom(values)))(
      textContent(path, content, at),
    )
    for (const one of C.findings(read)) assembling.found.push(one)
    for (const { name, value } of C.valueOf(read) ?? []) if (value !== undefined) values.set(name, value)
  }
  return values
}

const spendOn = ({ files: { budget }, found }: Assembling, values: number, at: Node): void => {
  const fault = spend(budget, values, at)
  if (fault !== undefined) found.push(fault)
}

/** Counts a tree against what the project may hold; false when it is too much. */
export const count = (assembling: Assembling, tree: Node): boolean => {
  spendOn(assembling, sizeOf(tree), tree)
  return !isSpent(assembling.files.budget)
}

/** The variables that a file in `folder` sees; `undefined` while the files that set them are not there. */
const variablesIn = (assembling: Assembling, folder: string, scope: FileScope): Variables | undefined => {
  if (folder === scope.folder) return scope.variables
  const key = `${scope.id}\0${folder}`
  const { missing } = assembling
  const own =
    assembling.folders.get(key) ??
    envFileValues(assembling, [{ path: resolvePath(folder, '.env'), isRequired: false }], scope.above)
  if (assembling.missing > missing) return undefined
  assembling.folders.set(key, own)
  return layered(scope.above, variablesFrom(own), scope.below)
}

const treeOf = (
  assembling: Assembling,
  path: string,
  documents: Checked<ReadonlyArray<Node>>,
  variables: Variables,
): ReadTree => {
  const found = [...C.findings(documents)]
  const budget = { brought: assembling.files.budget.brought }
  const read = (C.valueOf(documents) ?? []).flatMap((document) => {
    const interpolated = interpolateCompose(variables, document, budget)
    for (const one of C.findings(interpolated)) found.push(one)
    return C.valueOf(interpolated) ?? []
  })
  const [first, ...more] = read
  const merged = more.reduce<Node | undefined>((tree, next) => tree && mergeNodes('', tree, next), first)
  const tree = checkRoot(found, path, C.valueOf(documents)?.length === 0, merged)
  const sizes = read.map((at) => ({ values: sizeOf(at), at }))
  return { tree, found, sizes, brought: budget.brought - assembling.files.budget.brought }
}

/**
 * The documents of one file, interpolated and merged into one; `undefined` when there is nothing to work with (yet).
 */
export const readTree = (
  assembling: Assembling,
  file: { readonly path: string; readonly folder: string; readonly at?: Span },
  scope: FileScope,
): Mapping | undefined => {
  const { path, folder, at } = file
  const { budget, documents, isFull } = assembling.files
  const key = `${scope.id}\0${folder}\0${path}`
  if (assembling.trees.has(key)) return assembling.trees.get(key)
  if (isSpent(budget)) return undefined
  const [content, variables] = [contentOf(assembling, path), variablesIn(assembling, folder, scope)]
  if (content === undefined || variables === undefined) return undefined
  assembling.order.add(path)
  const fault = contentFault(path, content, at)
  if (fault !== undefined) {
    assembling.found.push(fault)
    if (content._tag === 'TooMany') exhaust(budget)
    return undefined
  }
  const parsed = documents(path, folder)
  if (parsed === undefined) return undefined
  const read = assembling.known.get(key) ?? treeOf(assembling, path, parsed, variables)
  if (isFull && parsed._tag === 'Left') exhaust(budget)
  assembling.known.set(key, read)
  assembling.trees.set(key, read.tree)
  for (const one of read.found) assembling.found.push(one)
  budget.brought += read.brought
  for (const { at: document, values } of read.sizes) spendOn(assembling, values, document)
  return read.tree
}

const checkRoot = (
  found: Array<Diagnostic>,
  path: string,
  isEmpty: boolean,
  tree: Node | undefined,
): Mapping | undefined => {
  const at = tree ?? { source: source(path, '.', ''), start: 0, end: 0 }
  if (isEmpty || (tree !== undefined && kindOf(tree) === 'null')) {
    found.push(
      error('DT1044', `${path === STDIN ? 'the standard input' : path} is empty`, {
        at,
        help: 'a Compose file needs at least one service under services',
      }),
    )
    return undefined
  }
  if (tree === undefined) return undefined
  if (tree._tag !== 'Mapping') {
    found.push(error('DT1002', `expected a mapping, found a ${kindOf(tree)}`, { at, help: 'begin with services:' }))
    return undefined
  }
  const manifest = tree.entries.find((entry) => isManifestKey(entry.key.text))
  if (manifest === undefined) return tree
  found.push(
    error(
      'DT1043',
      `${path} is a devtool manifest (it has a "${manifest.key.text}" section), but a Compose file is needed`,
      {
        at: manifest.key,
        help: 'a manifest is read on its own: name the Compose file instead',
      },
    ),
  )
  return undefined
}
