/** The files of a project → its model. A manifest among them is read first. */

import { pipe } from 'fp-ts/lib/function.js'
import type { Image } from '../../domain/build/image.ts'
import type { Checked } from '../../domain/checked.ts'
import * as C from '../../domain/checked.ts'
import { type Assembly, assembler } from '../../domain/compose/assemble.ts'
import type { AskedFiles, Files } from '../../domain/compose/files.ts'
import type { Model } from '../../domain/compose/model.ts'
import { readModel } from '../../domain/compose/read/project.ts'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import type { Manifest } from '../../domain/manifest/model.ts'
import { defined } from '../../domain/object/defined.ts'
import type { Variables } from '../../domain/yaml/interpolate.ts'
import type { ProjectOptions } from './choose.ts'
import { givenName, withLegalName } from './environment-name.ts'
import { choiceOf, type FoundManifest, findManifest, type OpenedManifest, withEndpoints } from './manifest.ts'
import { onceComplete } from './reading.ts'
import { readSettings, type Settings } from './settings.ts'

/** The model of the files, with all findings so far. */
export type ProjectModel = {
  readonly isManifest?: boolean
  readonly manifest?: Manifest
  /** Images of the manifest, even if there are errors in it. */
  readonly written?: ReadonlyArray<Image> | undefined
  readonly variables?: Variables
  readonly model: Checked<Model>
  readonly order: ReadonlyArray<string>
  readonly isGuessed: boolean
  readonly settings?: Settings
}

const after = (before: ReadonlyArray<Diagnostic>, model: Checked<Model>): Checked<Model> =>
  pipe(
    C.note(undefined, before),
    C.andThen(() => model),
  )

/** The model of an assembled project. */
const modelOf = (
  wanted: ProjectOptions,
  found: FoundManifest,
  { files: order, project }: Assembly,
  files: Files,
): ProjectModel => {
  if (project._tag === 'Left') return { model: after(found.findings, project), order, isGuessed: false }
  const named = withLegalName(givenName(wanted), project.right)
  const routed = withEndpoints(C.valueOf(named) ?? project.right, found)
  const value = C.valueOf(routed) ?? project.right
  const checked = readSettings(wanted.settings, value.variables, wanted.defaults)
  const chosen = choiceOf(value, found)
  const { hostFiles, profiles = [], registry } = C.valueOf(checked) ?? {}
  const only = wanted.services
  const choice = {
    services: [],
    ...C.valueOf(chosen),
    only,
    profiles,
    registry,
    hostFiles,
    built: wanted.built,
    mayBeEmpty: found.isManifest,
  }
  const model = readModel(value, choice, files)
  const before = [named, routed, checked, chosen, project].flatMap((one) => C.findings<unknown>(one))
  const settings = C.valueOf(checked)
  return {
    model: after([...found.findings, ...before], model),
    order,
    isGuessed: value.isGuessed,
    variables: value.variables,
    ...defined({ settings }),
  }
}

const unread: ProjectModel = { model: C.fail(error('DT9001', 'files are missing')), order: [], isGuessed: false }

/** Requests files, and finds all errors in one run. */
export const readProject = (
  wanted: ProjectOptions,
  { manifests, request }: OpenedManifest,
): ((files: AskedFiles) => ProjectModel) => {
  const { built, defaults, settings } = wanted
  const context = { ...request, registry: settings.registry, remembered: defaults?.registry, built }
  const finding = onceComplete((files) => {
    const found = findManifest(request, manifests, context, files)
    return { found, assemble: assembler(found.request) }
  })
  // Saves assembling a large project again for each file that its services name.
  const assembling = onceComplete((files) => {
    const ready = finding(files)
    return ready && { found: ready.found, assembly: ready.assemble(ready.found.view(files)) }
  })
  return (files) => {
    const done = assembling(files)
    if (done === undefined) return unread
    const { assembly, found } = done
    const { images, isManifest, manifest } = found
    const read = { ...modelOf(wanted, found, assembly, files), isManifest, written: images }
    return manifest === undefined ? read : { ...read, manifest }
  }
}
