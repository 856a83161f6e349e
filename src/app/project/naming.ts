/** The environment name of a folder, by the same rules as `deploy`, but without translating the project. */

import * as C from '../../domain/checked.ts'
import { projectName } from '../../domain/compose/assemble.ts'
import type { Chosen } from '../../domain/compose/choose.ts'
import type { Files } from '../../domain/compose/files.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import { defined } from '../../domain/object/defined.ts'
import { dnsLabel } from '../../domain/text/dns-name.ts'
import type { ProjectOptions } from './choose.ts'
import { givenName, legalName } from './environment-name.ts'
import { findManifest, type OpenedManifest } from './manifest.ts'

/**
 * `name` is absent when an error in `findings` hides it. `folder`: that of the project; without files, the current one.
 */
export type NamedProject = {
  readonly name?: string
  readonly isGuessed: boolean
  readonly folder: string
  readonly chosen?: Chosen
  readonly findings: ReadonlyArray<Diagnostic>
}

const unnamed = (findings: ReadonlyArray<Diagnostic>): Pick<NamedProject, 'findings' | 'isGuessed'> => ({
  isGuessed: false,
  findings: findings.map((d) => ({ help: 'the file may name the environment; --name sets it as well', ...d })),
})

/** The name according to files and variables. Requests files. */
export const nameIn = (
  wanted: ProjectOptions,
  { manifests, request }: OpenedManifest,
  files: Files,
): Omit<NamedProject, 'folder' | 'chosen'> => {
  const context = { ...request, registry: wanted.settings.registry }
  const found = findManifest(request, manifests, context, files)
  const { findings, isWritten, name } = projectName(found.request, found.view(files))
  const isFromVariable = name !== undefined && !isWritten
  // Errors in a manifest hide the Compose files it refers to; their name counts when the manifest has none.
  const doubts = [...findings, ...(isWritten ? [] : found.findings.filter(({ severity }) => severity === 'error'))]
  if (!isFromVariable && doubts.length > 0) return unnamed(doubts)
  if (name === undefined) return { name: dnsLabel(request.guess), isGuessed: true, findings: [] }
  const legal = legalName(undefined, { name, isWritten })
  const value = C.valueOf(legal)
  return { isGuessed: false, findings: C.findings(legal), ...defined({ name: value }) }
}

/** The name given by a flag or variable, which requires no readable file. */
export const nameGiven = (wanted: ProjectOptions): Omit<NamedProject, 'folder' | 'chosen'> | undefined => {
  const given = givenName(wanted)
  if (given === undefined) return undefined
  const legal = legalName(given, { name: given.text, isWritten: false })
  const name = C.valueOf(legal)
  return { isGuessed: false, findings: C.findings(legal), ...defined({ name }) }
}
