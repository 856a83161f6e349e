/** The model of a project → a plan, with everything that is wrong in one list. */

import { pipe } from 'fp-ts/lib/function.js'
import type { Image } from '../../domain/build/image.ts'
import { sameNames } from '../../domain/build/same-name.ts'
import type { Checked } from '../../domain/checked.ts'
import * as C from '../../domain/checked.ts'
import type { Chosen } from '../../domain/compose/choose.ts'
import type { Model } from '../../domain/compose/model.ts'
import {
  type Diagnostic,
  inFileOrder,
  strict,
  warning,
  withoutConsequences,
} from '../../domain/diagnostic/diagnostic.ts'
import { firstFindings } from '../../domain/diagnostic/first.ts'
import type { Manifest } from '../../domain/manifest/model.ts'
import { defined } from '../../domain/object/defined.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import { translate } from '../../domain/translate/translate.ts'
import type { Variables } from '../../domain/yaml/interpolate.ts'
import type { ProjectOptions } from './choose.ts'
import type { ProjectModel } from './model.ts'
import type { Settings } from './settings.ts'

/** `findings` are in file order. `plan` is there only when nothing is wrong. */
export type Translation = {
  readonly findings: ReadonlyArray<Diagnostic>
  readonly chosen?: Chosen
  readonly plan?: Plan
  /** When one of the files is a manifest with nothing wrong in it, whatever is wrong in the Compose files that it names. */
  readonly manifest?: Manifest
  readonly settings?: Settings
  /** What is to be built: of the whole manifest, then of the services that are to be deployed. */
  readonly images: ReadonlyArray<Image>
  /** Those of the project: of the command line, the shell, env files, the manifest. */
  readonly variables?: Variables
  /** The name is that of the folder or repository: nobody wrote it down. */
  readonly isGuessed: boolean
  /** Services that profiles switch off, by the names of their objects. */
  readonly switchedOff?: ReadonlyArray<string>
}

/** No files could be chosen. */
export const untranslated = (found: Diagnostic): Translation => ({ findings: [found], images: [], isGuessed: false })

const translated = (
  { profiles: _profiles, registry: _registry, ...target }: Settings,
  model: Checked<Model>,
  withOrigins: boolean,
): Checked<Plan> =>
  pipe(
    model,
    C.andThen((read) => translate({ ...target, environment: read.environment, withOrigins }, read)),
  )

/** What is refused for its size is not translated to find what else is wrong. */
const isTooLarge = (model: Checked<Model>): boolean => C.findings(model).some(({ code }) => code === 'DT1006')

export const translation = (
  { isStrict, withOrigins = true }: ProjectOptions,
  chosen: Chosen,
  { isGuessed, manifest, model, order, settings, variables, written = [] }: ProjectModel,
): Translation => {
  const checked: Checked<Plan | undefined> =
    settings === undefined || isTooLarge(model)
      ? C.map(() => undefined)(model)
      : translated(settings, model, withOrigins)
  const services = C.valueOf(model)?.images ?? []
  const sorted = inFileOrder(
    order,
    withoutConsequences([...C.findings(checked), ...sameNames([...written, ...services], warning)]),
  )
  const findings = firstFindings(isStrict ? strict(sorted) : sorted)
  const plan = C.hasErrors(findings) ? undefined : C.valueOf(checked)
  return {
    findings,
    chosen,
    isGuessed,
    images: [...(manifest?.build ?? []), ...services],
    switchedOff: C.valueOf(model)?.switchedOff ?? [],
    ...defined({ variables, manifest, settings, plan }),
  }
}
