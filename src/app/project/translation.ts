/** The model of a project → a plan, with all errors in one list. */

import { pipe } from 'fp-ts/lib/function.js'
import type { Image } from '../../domain/build/image.ts'
import { sameNames } from '../../domain/build/same-name.ts'
import type { Checked } from '../../domain/checked.ts'
import * as C from '../../domain/checked.ts'
import type { Chosen } from '../../domain/compose/choose.ts'
import type { ComposeService, Model } from '../../domain/compose/model.ts'
import {
  type Diagnostic,
  inFileOrder,
  inOneLine,
  strict,
  warning,
  withoutConsequences,
} from '../../domain/diagnostic/diagnostic.ts'
import { firstFindings, mostListed } from '../../domain/diagnostic/first.ts'
import { gathered } from '../../domain/diagnostic/gathered.ts'
import type { Manifest } from '../../domain/manifest/model.ts'
import { defined } from '../../domain/object/defined.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import { translate } from '../../domain/translate/translate.ts'
import type { Variables } from '../../domain/yaml/interpolate.ts'
import type { ProjectOptions } from './choose.ts'
import type { ProjectModel } from './model.ts'
import type { Settings } from './settings.ts'

/** `findings` are in file order. `plan` is absent when there are errors. */
export type Translation = {
  readonly findings: ReadonlyArray<Diagnostic>
  readonly chosen?: Chosen
  readonly plan?: Plan
  /** Whether one of the files is a manifest. */
  readonly isManifest?: boolean
  /** The manifest among the files, when it has no errors; the Compose files it refers to may have some. */
  readonly manifest?: Manifest
  readonly settings?: Settings
  /** The images to build: all of the manifest, then those of the services to deploy. */
  readonly images: ReadonlyArray<Image>
  /** The variables of the project: from the command line, the shell, env files, the manifest. */
  readonly variables?: Variables
  /** Whether the name was taken from the folder or repository, since none is given. */
  readonly isGuessed: boolean
  /** Services that profiles switch off, by object name. */
  readonly switchedOff?: ReadonlyArray<string>
  /** All services of the files, by object name. */
  readonly declared?: ReadonlyArray<string>
  /** The services that profiles enable. */
  readonly services?: ReadonlyArray<ComposeService>
}

/** No files could be found. */
export const untranslated = (found: Diagnostic): Translation => ({ findings: [found], images: [], isGuessed: false })

const translated = (
  { hostFiles: _hostFiles, profiles: _profiles, registry: _registry, ...target }: Settings,
  model: Checked<Model>,
  withOrigins: boolean,
): Checked<Plan> =>
  pipe(
    model,
    C.andThen((read) => translate({ ...target, environment: read.environment, withOrigins }, read)),
  )

/** A project that is refused for its size, or has more errors than are listed, is not translated to find further ones. */
const isRefused = (model: Checked<Model>): boolean => {
  const errors = C.findings(model).filter(({ severity }) => severity === 'error')
  return errors.length > mostListed || errors.some(({ code }) => code === 'DT1006')
}

export const translation = (
  { isStrict, withOrigins = true }: ProjectOptions,
  chosen: Chosen,
  { isGuessed, isManifest, manifest, model, order, settings, variables, written = [] }: ProjectModel,
): Translation => {
  const checked: Checked<Plan | undefined> =
    settings === undefined || isRefused(model)
      ? C.map(() => undefined)(model)
      : translated(settings, model, withOrigins)
  const services = C.valueOf(model)?.images ?? []
  const arranged = (found: ReadonlyArray<Diagnostic>): ReadonlyArray<Diagnostic> => {
    const all = gathered(inFileOrder(order, withoutConsequences(found)))
    return isStrict ? strict(all) : all
  }
  const found = [...C.findings(checked), ...sameNames([...written, ...services], warning)]
  const findings = firstFindings(found, arranged).map(inOneLine)
  const plan = C.hasErrors(findings) ? undefined : C.valueOf(checked)
  return {
    findings,
    chosen,
    isGuessed,
    images: [...(manifest?.build ?? []), ...services],
    switchedOff: C.valueOf(model)?.switchedOff ?? [],
    declared: C.valueOf(model)?.declared ?? [],
    services: C.valueOf(model)?.services ?? [],
    ...defined({ variables, isManifest, manifest, settings, plan }),
  }
}
