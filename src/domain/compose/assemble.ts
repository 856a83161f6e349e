/**
 * Several files → one tree: each file is interpolated, its `extends` and `include` resolved, and merged over the files
 * before it. Pure: files are asked for by path.
 */

import type { Checked } from '../checked.ts'
import * as C from '../checked.ts'
import { type Diagnostic, error } from '../diagnostic/diagnostic.ts'
import { defined } from '../object/defined.ts'
import { resolvePath } from '../text/path.ts'
import type { Span } from '../text/source.ts'
import { interpolate, type Variables } from '../yaml/interpolate.ts'
import { get, type Mapping } from '../yaml/node.ts'
import { type Assembling, envFileValues, type FileScope } from './assembling.ts'
import type { Files } from './files.ts'
import { readProject } from './include.ts'
import { settle } from './merge.ts'
import { layered, variablesFrom } from './variables.ts'

/** `folder`: that of its own paths and `.env`, when it is another than the project's. `at`: what names the file. */
export type ProjectFile = { readonly path: string; readonly folder?: string; readonly at?: Span }

/**
 * What is to be read. `folder` is the project folder: relative paths of `files` are resolved against it. `name` is the
 * environment's name when the user gave one; `guess` the folder's or repository's, used last.
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
  /** Whether the name came from the folder or repository: nobody wrote it down. */
  readonly isGuessed: boolean
  readonly variables: Variables
}

/** `files`: in the order in which they were met. */
export type Assembly = { readonly project: Checked<AssembledProject>; readonly files: ReadonlyArray<string> }

/** The top-level `name` of the last file that has one. */
const writtenName = (
  assembling: Assembling,
  { files, folder }: AssembleRequest,
  variables: Variables,
): string | undefined => {
  const names = files.flatMap(({ folder: own = folder, path }) => {
    const documents = assembling.files.documents(path, own)
    const trees = documents === undefined ? [] : (C.valueOf(documents) ?? [])
    return trees.flatMap((tree) => {
      const node = get(tree, 'name')
      const read = node === undefined ? undefined : C.valueOf(interpolate(variables, node))
      return read?._tag === 'Scalar' && read.text !== '' ? [read.text] : []
    })
  })
  return names.at(-1)
}

/** A variable that is not set is warned about once, where it is met first. */
const oncePerVariable = (found: ReadonlyArray<Diagnostic>): ReadonlyArray<Diagnostic> => {
  const seen = new Set<string>()
  return found.filter((d) => d.code !== 'DT1011' || (!seen.has(d.message) && seen.add(d.message)))
}

type Layers = { readonly outside: Variables; readonly scope: FileScope }

/** The variables of the project; what is wrong with its env files is found on the way. */
const layersOf = (assembling: Assembling, request: AssembleRequest): Layers => {
  const above = layered(variablesFrom(request.given), variablesFrom(request.shell))
  const below = variablesFrom(request.platform)
  const envFiles = request.envFiles?.map((path) => ({ path, isRequired: true })) ?? [
    { path: resolvePath(request.folder, '.env'), isRequired: false },
  ]
  const values = variablesFrom(envFileValues(assembling, envFiles, above))
  const scope: FileScope =
    request.envFiles === undefined ? { above, below: layered(values, below) } : { above: layered(above, values), below }
  return { outside: layered(above, values, below), scope }
}

const emptyAssembling = (files: Files): Assembling => ({
  files,
  found: [],
  order: new Set(),
  trees: new Map(),
  included: 0,
})

/** What the first file of a project sees, before anything is read. Asks for files like {@link assemble}. */
export const projectVariables = (request: AssembleRequest, files: Files): Variables =>
  layersOf(emptyAssembling(files), request).outside

/** `isWritten`: a file says it. `findings`: what kept files from being read, so that the name may be another. */
export type ProjectName = {
  readonly name?: string
  readonly isWritten: boolean
  readonly findings: ReadonlyArray<Diagnostic>
}

/** The name alone: of what files hold beyond it nothing is looked at. Asks for files like {@link assemble}. */
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

/** Reads everything that `request` names. What is missing is left out: call again when it is there. */
export const assemble = (request: AssembleRequest, files: Files): Assembly => {
  const assembling = emptyAssembling(files)
  const { outside, scope } = layersOf(assembling, request)
  const chosen =
    request.name ?? (outside('COMPOSE_PROJECT_NAME') || undefined) ?? writtenName(assembling, request, outside)
  const name = chosen ?? request.guess
  const variables = layered(outside, (key) => (key === 'COMPOSE_PROJECT_NAME' ? name : undefined))
  const project = readProject(assembling, request.files, request.folder, { ...scope, variables }, [])
  const found = oncePerVariable(assembling.found)
  const hasResets = [...assembling.trees.values()].some((tree) => tree?.source.text.includes('!reset'))
  const root = project === undefined || !hasResets ? project : settle(project)
  const done: Checked<AssembledProject> =
    root?._tag === 'Mapping'
      ? C.note({ root, name, isGuessed: chosen === undefined, variables }, found)
      : C.failBecause(found, error('DT1044', 'there are no files to read'))
  return { project: done, files: [...assembling.order] }
}
