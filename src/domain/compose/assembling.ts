/** State shared by the parts of one assembly: the files fetched so far, their trees, and the findings. */
import * as C from '../checked.ts'
import { type Diagnostic, error } from '../diagnostic/diagnostic.ts'
import { resolvePath } from '../text/path.ts'
import { type Span, STDIN, source } from '../text/source.ts'
import { isSpent, sizeOf, spend } from '../yaml/budget.ts'
import { interpolateCompose, type Variables } from '../yaml/interpolate.ts'
import { kindOf, type Mapping, type Node } from '../yaml/node.ts'
import { contentFault, textContent } from './file-content.ts'
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

/**
 * State shared by the parts of one assembly. `order` lists the files as they were encountered; `included` counts
 * included files, to limit them.
 */
export type Assembling = {
  readonly files: Files
  readonly found: Array<Diagnostic>
  readonly order: Set<string>
  readonly trees: Map<string, Node | undefined>
  /** What the env files of other folders say, by scope and folder. */
  readonly folders: Map<string, ReadonlyMap<string, string>>
  included: number
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
    const content = assembling.files.want(path)
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

/** Counts a tree against what the project may hold; false when it is too much. */
export const count = ({ files: { budget }, found }: Assembling, tree: Node): boolean => {
  const fault = spend(budget, sizeOf(tree), tree)
  if (fault !== undefined) found.push(fault)
  return !isSpent(budget)
}

/** The variables that a file in `folder` sees. */
const variablesIn = (assembling: Assembling, folder: string, scope: FileScope): Variables => {
  if (folder === scope.folder) return scope.variables
  const key = `${scope.id}\0${folder}`
  const own =
    assembling.folders.get(key) ??
    envFileValues(assembling, [{ path: resolvePath(folder, '.env'), isRequired: false }], scope.above)
  assembling.folders.set(key, own)
  return layered(scope.above, variablesFrom(own), scope.below)
}

/**
 * The documents of one file, interpolated and merged into one; `undefined` when there is nothing to work with (yet).
 */
export const readTree = (
  assembling: Assembling,
  file: { readonly path: string; readonly folder: string; readonly at?: Span },
  scope: FileScope,
): Node | undefined => {
  const { path, folder, at } = file
  const key = `${scope.id}\0${folder}\0${path}`
  if (assembling.trees.has(key)) return assembling.trees.get(key)
  const content = assembling.files.want(path)
  if (content === undefined || isSpent(assembling.files.budget)) return undefined
  assembling.order.add(path)
  const fault = contentFault(path, content, at)
  if (fault !== undefined) {
    assembling.found.push(fault)
    return undefined
  }
  const documents = assembling.files.documents(path, folder)
  if (documents === undefined) return undefined
  for (const one of C.findings(documents)) assembling.found.push(one)
  const variables = variablesIn(assembling, folder, scope)
  let tree: Node | undefined
  for (const document of C.valueOf(documents) ?? []) {
    const read = interpolateCompose(variables, document, assembling.files.budget)
    for (const d of C.findings(read)) assembling.found.push(d)
    const next = C.valueOf(read)
    if (next !== undefined) tree = tree === undefined ? next : mergeNodes('', tree, next)
    if (next !== undefined) count(assembling, next)
  }
  const valid = checkRoot(assembling, path, C.valueOf(documents)?.length === 0, tree)
  assembling.trees.set(key, valid)
  return valid
}

const checkRoot = (
  { found }: Assembling,
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
