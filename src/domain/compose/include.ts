/** `include`: other Compose projects as part of this one, each with its own folder and variables. */
import { type Diagnostic, error, warning } from '../diagnostic/diagnostic.ts'
import { unknownKeys } from '../shape/field.ts'
import { cycleText } from '../text/cycle.ts'
import { folderOf, pathWritten, resolvePath } from '../text/path.ts'
import type { Span } from '../text/source.ts'
import { exhaust } from '../yaml/budget.ts'
import { get, isNull, type Mapping, type Node } from '../yaml/node.ts'
import { type Assembling, count, envFileValues, type FileScope, readTree } from './assembling.ts'
import { resolveExtends } from './extends.ts'
import { importSections } from './import-sections.ts'
import { mergeNodes } from './merge.ts'
import { layered, variablesFrom } from './variables.ts'

/** More included files than this are a mistake or an attack: every level could include the next one twice. */
export const mostIncluded = 1_000

/** Deeper ones too: every level adds variables that each value is looked up in. */
export const deepestInclude = 100

const isText = (node: Node): boolean => node._tag === 'Scalar' && !isNull(node)

/** One string or a list of strings, as nodes; `undefined` for anything else. */
const texts = (node: Node | undefined): ReadonlyArray<Node & { readonly text: string }> | undefined => {
  if (node === undefined) return []
  const items = node._tag === 'Sequence' ? node.items : [node]
  return items.every(isText) ? items.flatMap((item) => (item._tag === 'Scalar' ? [item] : [])) : undefined
}

type Included = { readonly paths: ReadonlyArray<Node & { readonly text: string }>; readonly item: Node }

const readIncluded = (assembling: Assembling, item: Node): Included | undefined => {
  const paths = texts(item._tag === 'Mapping' ? get(item, 'path') : item)
  for (const one of unknownKeys(item, ['path', 'env_file', 'project_directory'], 'include')) assembling.found.push(one)
  if (item._tag !== 'Sequence' && paths !== undefined && paths.length > 0) return { paths, item }
  if (item._tag === 'Mapping' && paths !== undefined) {
    assembling.found.push(warning('DT1102', 'include without a path includes nothing', { at: item }))
    return undefined
  }
  assembling.found.push(
    error('DT1002', 'include takes a path, or a mapping with path, env_file and project_directory', { at: item }),
  )
  return undefined
}

/** What the including project sets wins over the variables of an included one (Compose Specification, "include"). */
const scopeOf = (assembling: Assembling, item: Node, folder: string, { id, variables }: FileScope): FileScope => {
  const named = texts(get(item, 'env_file')) ?? []
  const files = named.map((at) => ({ path: pathWritten(at, at.text), at, isRequired: true }))
  const read = files.length > 0 ? files : [{ path: resolvePath(folder, '.env'), isRequired: false }]
  const own = variablesFrom(envFileValues(assembling, read, variables))
  return {
    id: [id, folder, ...files.map(({ path }) => path)].join('\0'),
    folder,
    variables: layered(variables, own),
    above: variables,
    below: own,
  }
}

/** The files of one item of the list, and the variables that they see. */
type IncludedFiles = {
  readonly files: ReadonlyArray<{ readonly path: string; readonly at: Node }>
  readonly scope: FileScope
}

/** `undefined` when the item cannot be read. `chain` holds the files that led here. Finds DT1015. */
export const includedFiles = (
  assembling: Assembling,
  item: Node,
  scope: FileScope,
  chain: ReadonlyArray<string>,
): IncludedFiles | undefined => {
  const included = readIncluded(assembling, item)
  const [first] = included?.paths ?? []
  if (included === undefined || first === undefined) return undefined
  const files = included.paths.map((node) => ({ path: pathWritten(node, node.text), at: node }))
  const cyclic = files.find((file) => chain.includes(file.path))
  if (cyclic !== undefined) {
    const ring = cycleText(chain, chain.indexOf(cyclic.path))
    assembling.found.push(error('DT1015', `circular include: ${ring}`, { at: cyclic.at }))
    return undefined
  }
  // Asks for them along with the env files.
  for (const { path } of files) assembling.files.want(path)
  const directory = get(item, 'project_directory')
  const folder =
    directory?._tag === 'Scalar' ? pathWritten(item, directory.text) : folderOf(pathWritten(first, first.text))
  return { files, scope: scopeOf(assembling, item, folder, scope) }
}

/** One item of the list, read as a project of its own; `undefined` when it cannot be read. */
const includeItem = (
  assembling: Assembling,
  item: Node,
  scope: FileScope,
  chain: ReadonlyArray<string>,
): Mapping | undefined => {
  if (chain.length > deepestInclude) {
    exhaust(assembling.files.budget)
    assembling.found.push(error('DT1006', `include nests more than ${deepestInclude} files`, { at: item }))
    return undefined
  }
  const included = includedFiles(assembling, item, scope, chain)
  if (included === undefined) return undefined
  const before = assembling.included
  assembling.included += included.files.length
  if (assembling.included <= mostIncluded) return readProject(assembling, included.files, included.scope, chain)
  const fault = error('DT1006', `more than ${mostIncluded} files are included`, { at: item })
  if (before <= mostIncluded) assembling.found.push(fault)
  return undefined
}

/**
 * The tree on top of everything it includes, in the order of the list. `chain` holds the files that led here. Finds
 * DT1015, DT1017, DT1006, DT1007.
 */
const resolveInclude = (
  assembling: Assembling,
  tree: Mapping,
  scope: FileScope,
  chain: ReadonlyArray<string>,
): Mapping => {
  const written = tree.entries.find((entry) => entry.key.text === 'include')?.value
  if (written === undefined) return tree
  const own: Mapping = { ...tree, entries: tree.entries.filter((entry) => entry.key.text !== 'include') }
  if (written._tag !== 'Sequence') {
    if (!isNull(written)) assembling.found.push(error('DT1002', 'include takes a list', { at: written }))
    return own
  }
  const projects = written.items.flatMap((item) => includeItem(assembling, item, scope, chain) ?? [])
  return projects.reduceRight((into, project) => importSections(assembling, into, project), own)
}

/** DT1038 when two files write `endpoints` in notations that cannot be merged. */
const unlikeEndpoints = (below: Node, above: Node): ReadonlyArray<Diagnostic> => {
  const [first, second] = [get(below, 'endpoints'), get(above, 'endpoints')]
  if (first === undefined || second === undefined || second.tag !== undefined) return []
  if (first._tag === second._tag || isNull(first) || isNull(second)) return []
  return [
    error('DT1038', 'endpoints has a different form from the one in the earlier file', {
      at: second,
      help: 'write both as a list or both as a mapping, or replace the first with !override',
      related: [{ at: first, message: 'the other one is here' }],
    }),
  ]
}

/**
 * Files merged in order, with their `extends` and `include` resolved. A file with its own folder uses the variables of
 * that folder. `chain` holds the files that led here, to detect cycles.
 */
export const readProject = (
  assembling: Assembling,
  files: ReadonlyArray<{ readonly path: string; readonly folder?: string; readonly at?: Span }>,
  scope: FileScope,
  chain: ReadonlyArray<string>,
): Mapping | undefined => {
  let project: Node | undefined
  for (const file of files) {
    const { folder: own = scope.folder, path } = file
    const tree = readTree(assembling, { ...file, folder: own }, scope)
    if (tree?._tag !== 'Mapping') continue
    const extended = resolveExtends(assembling, { path, folder: own, root: tree }, scope)
    const included = resolveInclude(assembling, extended, scope, [...chain, path])
    if (project !== undefined) for (const one of unlikeEndpoints(project, included)) assembling.found.push(one)
    const isCopy = included !== extended || project !== undefined
    project = project === undefined ? included : mergeNodes('', project, included)
    if (isCopy && !count(assembling, project)) return undefined
  }
  return project?._tag === 'Mapping' ? project : undefined
}
