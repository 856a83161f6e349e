/**
 * Several files → one tree: each file is interpolated, its `extends` and `include` are resolved, and it is merged over
 * the files before it. Pure: files are requested by path.
 */

import type { Checked } from '../checked.ts'
import * as C from '../checked.ts'
import { type Diagnostic, error } from '../diagnostic/diagnostic.ts'
import { defined } from '../object/defined.ts'
import { resolvePath } from '../text/path.ts'
import type { Span } from '../text/source.ts'
import { isSpent } from '../yaml/budget.ts'
import { interpolate, type Variables } from '../yaml/interpolate.ts'
import { limits } from '../yaml/limits.ts'
import { get, type Mapping } from '../yaml/node.ts'
import { type Assembling, emptyAssembling, envFileValues, type FileScope } from './assembling.ts'
import type { Files } from './files.ts'
import { hasAllFiles, newSearch, type Search } from './find-files.ts'
import { readProject } from './include.ts'
import { settle } from './merge.ts'
import { layered, variablesFrom } from './variables.ts'

/**
 * `folder`: the base of its relative paths and the place of its `.env`, when that is not the project folder. `at`:
 * where the file is named.
 */
export type ProjectFile = { readonly path: string; readonly folder?: string; readonly at?: Span }

/**
 * What to read. `folder` is the project folder: relative paths of `files` are resolved against it. `name` is the
 * environment's name when the user gave one; `guess` comes from the folder or repository and is used last.
 */
export type AssembleRequest = {
  readonly files: ReadonlyArray<ProjectFile>
  readonly folder: string
  readonly name?: string | undefined
  readonly guess: string
  readonly envFiles?: ReadonlyArray<string> | undefined
  readonly given: ReadonlyMap<string, string>
  readonly shell: ReadonlyMap<string, string>
  readonly platform: ReadonlyMap<string, string>
}

export type AssembledProject = {
  readonly root: Mapping
  readonly name: string
  /** Whether the name was guessed from the folder or repository, rather than written anywhere. */
  readonly isGuessed: boolean
  readonly variables: Variables
}

/** `files`: in the order in which they were encountered. */
export type Assembly = { readonly project: Checked<AssembledProject>; readonly files: ReadonlyArray<string> }

/** The top-level `name` of the last file that has one. */
const writtenName = (
  assembling: Assembling,
  { files, folder }: AssembleRequest,
  variables: Variables,
): string | undefined => {
  const names = files.flatMap(({ folder: own = folder, path }) => {
    const documents = assembling.files.documents(path, own)
    if (documents === undefined) assembling.missing += 1
    const trees = documents === undefined ? [] : (C.valueOf(documents) ?? [])
    return trees.flatMap((tree) => {
      const node = get(tree, 'name')
      const read = node === undefined ? undefined : C.valueOf(interpolate(variables, node))
      return read?._tag === 'Scalar' && read.text !== '' ? [read.text] : []
    })
  })
  return names.at(-1)
}

/** Warns about an unset variable only once, where it is first used. */
const oncePerVariable = (found: ReadonlyArray<Diagnostic>): ReadonlyArray<Diagnostic> => {
  const seen = new Set<string>()
  return found.filter((d) => d.code !== 'DT1011' || (!seen.has(d.message) && seen.add(d.message)))
}

type Layers = { readonly outside: Variables; readonly scope: Pick<FileScope, 'above' | 'below'> }

/** The variables of the project; problems in its env files are reported along the way. */
const layersOf = (assembling: Assembling, request: AssembleRequest): Layers => {
  const above = layered(variablesFrom(request.given), variablesFrom(request.shell))
  const below = variablesFrom(request.platform)
  const envFiles = request.envFiles?.map((path) => ({ path, isRequired: true })) ?? [
    { path: resolvePath(request.folder, '.env'), isRequired: false },
  ]
  const values = variablesFrom(envFileValues(assembling, envFiles, above))
  const scope =
    request.envFiles === undefined ? { above, below: layered(values, below) } : { above: layered(above, values), below }
  return { outside: layered(above, values, below), scope }
}

/**
 * The variables that the first file of a project sees, before anything is read. Requests files like {@link assemble}.
 */
export const projectVariables = (request: AssembleRequest, files: Files): Variables =>
  layersOf(emptyAssembling(files), request).outside

/** `isWritten`: a file sets the name. `findings`: why files could not be read, in which case the name may be wrong. */
export type ProjectName = {
  readonly name?: string
  readonly isWritten: boolean
  readonly findings: ReadonlyArray<Diagnostic>
}

/** Only the name: nothing else in the files is examined. Requests files like {@link assemble}. */
export const projectName = (request: AssembleRequest, files: Files): ProjectName => {
  const assembling = emptyAssembling(files)
  const { outside } = layersOf(assembling, request)
  const given = request.name ?? (outside('COMPOSE_PROJECT_NAME') || undefined)
  if (given !== undefined) return { name: given, isWritten: false, findings: [] }
  const unread = request.files.flatMap(({ folder = request.folder, path }) => {
    const documents = files.documents(path, folder)
    return documents === undefined ? [] : C.findings(documents)
  })
  const name = writtenName(assembling, request, outside)
  const findings = [...assembling.found, ...unread].filter(({ severity }) => severity === 'error')
  return { isWritten: name !== undefined, findings, ...defined({ name }) }
}

/** DT1006 where the services begin that are too many. */
const tooManyServices = (root: Mapping): ReadonlyArray<Diagnostic> => {
  const services = get(root, 'services')
  const first = services?._tag === 'Mapping' ? services.entries[limits.services] : undefined
  if (first === undefined) return []
  const help = 'deploy it as several projects'
  return [error('DT1006', `the project has more than ${limits.services} services`, { at: first.key, help })]
}

const unread = error('DT1044', 'there are no files to read')

/** The variables and the name, which the first files see; with what was found meanwhile. */
type Root = Pick<AssembledProject, 'name' | 'isGuessed' | 'variables'> & {
  readonly scope: FileScope
  readonly found: ReadonlyArray<Diagnostic>
  readonly order: ReadonlySet<string>
}

/** `undefined` while a file is missing. */
const rootOf = (request: AssembleRequest, files: Files): Root | undefined => {
  const assembling = emptyAssembling(files)
  const { folder } = request
  const { outside, scope } = layersOf(assembling, request)
  const chosen =
    request.name ?? (outside('COMPOSE_PROJECT_NAME') || undefined) ?? writtenName(assembling, request, outside)
  const name = chosen ?? request.guess
  const variables = layered(outside, (key) => (key === 'COMPOSE_PROJECT_NAME' ? name : undefined))
  if (assembling.missing > 0) return undefined
  const { found, order } = assembling
  return {
    name,
    isGuessed: chosen === undefined,
    variables,
    scope: { id: '', folder, variables, ...scope },
    found,
    order,
  }
}

/**
 * Reads everything that `request` names. While files are missing there is nothing yet: it is to be called again when
 * they are there.
 */
export const assembler = (request: AssembleRequest): ((files: Files) => Assembly) => {
  let begun: { readonly root: Root; readonly search: Search } | undefined
  return (files) => {
    const root = begun?.root ?? rootOf(request, files)
    if (root === undefined) return { project: C.fail(unread), files: [] }
    begun ??= { root, search: newSearch(request.files, root.scope) }
    const { search } = begun
    return hasAllFiles(search, files) ? assemble(request, root, search, files) : { project: C.fail(unread), files: [] }
  }
}

const assemble = (
  request: AssembleRequest,
  { isGuessed, name, scope, variables, ...before }: Root,
  { known }: Search,
  files: Files,
): Assembly => {
  const assembling: Assembling = {
    ...emptyAssembling(files, known),
    found: [...before.found],
    order: new Set(before.order),
  }
  const project = readProject(assembling, request.files, scope, [])
  const found = oncePerVariable(assembling.found)
  if (isSpent(files.budget)) return { project: C.failBecause(found, unread), files: [...assembling.order] }
  const hasResets = [...assembling.trees.values()].some((tree) => tree?.source.text.includes('!reset'))
  const root = project === undefined || !hasResets ? project : settle(project)
  const isSaid = found.some(({ severity }) => severity === 'error')
  const faults = root?._tag === 'Mapping' ? tooManyServices(root) : isSaid ? [] : [unread]
  const done: Checked<AssembledProject> =
    root?._tag === 'Mapping' && faults.length === 0
      ? C.note({ root, name, isGuessed, variables }, found)
      : C.failBecause([...found, ...faults], unread)
  return { project: done, files: [...assembling.order] }
}
