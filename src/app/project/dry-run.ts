/** `deploy --dry-run`: shows what would be applied, without contacting a cluster. */
import { type PlannedImage, plannedImages, plannedNotes } from '../../domain/build/show.ts'
import { type Diagnostic, remark } from '../../domain/diagnostic/diagnostic.ts'
import { defined } from '../../domain/object/defined.ts'
import { partition } from '../../domain/plan/action.ts'
import type { PlannedDeploy } from '../../domain/plan/document.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import type { Ports } from '../../ports/ports.ts'
import { type Report, writeReports } from '../reports/reports.ts'
import type { Result } from '../result.ts'
import type { ProjectOptions } from './choose.ts'
import { compareGolden, type Golden, type GoldenState, type LoadFolders } from './golden.ts'
import { openProject } from './project.ts'
import type { Settings } from './settings.ts'
import type { Translation } from './translation.ts'

type Deploy = {
  readonly wanted: ProjectOptions
  /** Whether to say where the parts of objects come from. */
  readonly withOrigins: boolean
  readonly showSecrets: boolean
  readonly golden?: Golden | undefined
  /** The folder to write the manifests into. */
  readonly into?: string | undefined
  readonly reports: ReadonlyArray<Report>
  readonly version: string
}

const unrunOf = (whole: string, many: string, names: ReadonlyArray<string>): ReadonlyArray<Diagnostic> =>
  names.length === 0
    ? []
    : [
        remark(
          'DT1513',
          `${names.length === 1 ? `1 ${whole}` : `${names.length} ${many}`} in a dry run: ${names.join(', ')}`,
        ),
      ]

/** Parts of a manifest that a dry run leaves out: the results of its commands and dependencies are unknown. */
const unrun = ({ manifest, plan }: Translation): ReadonlyArray<Diagnostic> => {
  if (manifest === undefined || plan === undefined) return []
  const { dependencies, deploy } = manifest
  const isEmpty = plan.actions.length + deploy.commands.length + dependencies.length === 0
  const nothing = remark('DT1514', 'the manifest has nothing to deploy', { help: 'add deploy: or services:' })
  return [
    ...(isEmpty ? [nothing] : []),
    ...unrunOf(
      'dependency is not deployed',
      'dependencies are not deployed',
      dependencies.map(({ name }) => name),
    ),
    ...unrunOf(
      'command of deploy: is not run',
      'commands of deploy: are not run',
      deploy.commands.map(({ name }) => name),
    ),
  ]
}

/** Settings that the manifests depend on and that were not given. */
const openQuestions = (
  { actions }: Plan,
  { domain, namespace }: Settings,
  showSecrets: boolean,
): ReadonlyArray<Diagnostic> => {
  const objects = partition(actions).Apply.map(({ object }) => object)
  const hasIngress = objects.some(({ kind }) => kind === 'Ingress')
  const secrets = objects.filter(({ kind }) => kind === 'Secret').map(({ metadata }) => metadata.name)
  return [
    ...(secrets.length > 0 && !showSecrets
      ? [
          remark('DT1204', `left out, since they contain secret values: ${secrets.join(', ')}`, {
            help: 'pods that use them wait until they exist; --show-secrets prints them',
          }),
        ]
      : []),
    ...(domain === undefined && hasIngress
      ? [remark('DT1202', 'hosts end in localhost', { help: 'set another domain with --domain or DEVTOOL_DOMAIN' })]
      : []),
    ...(namespace === undefined && objects.length > 0
      ? [
          remark('DT1203', 'the manifests have no namespace', {
            help: 'set one with --namespace or DEVTOOL_NAMESPACE, or when you apply them',
          }),
        ]
      : []),
  ]
}

/** The manifests that would be deployed, the files they were written to, or a comparison with a golden file. */
export type DryRun =
  | { readonly _tag: 'Planned'; readonly planned: PlannedDeploy }
  | { readonly _tag: 'Filed'; readonly folder: string; readonly changed: ReadonlyArray<string> }
  | { readonly _tag: 'Compared'; readonly golden: GoldenState }

/** The images that the plan refers to before they are built. */
const plannedIn = ({ images, plan, settings }: Translation): ReadonlyArray<PlannedImage> =>
  plan === undefined ? [] : plannedImages(images, { environment: plan.environment, registry: settings?.registry })

export const dryRun =
  (ports: Pick<Ports, 'files' | 'writer' | 'plainFolders'>, folders: LoadFolders) =>
  async ({ golden, into, reports, showSecrets, version, wanted, withOrigins }: Deploy): Promise<Result<DryRun>> => {
    const project = openProject(ports)(wanted)
    const translated = await project.translate({ withOrigins: withOrigins || golden !== undefined })
    const { chosen, isGuessed, plan, settings } = translated
    const { line } = project
    const open = plan === undefined || settings === undefined ? [] : openQuestions(plan, settings, showSecrets)
    const images = plannedIn(translated)
    const notes = [...plannedNotes(images), ...unrun(translated), ...open]
    const known = new Set(translated.findings.map(({ code }) => code))
    const noted = [...translated.findings, ...notes.filter(({ code }) => !known.has(code))]
    const unwritten = await writeReports(ports, version)(reports, noted)
    const found = [...noted, ...unwritten]
    const told = { ...defined({ chosen }), line }
    if (plan === undefined || unwritten.length > 0) return { ...told, findings: found }
    if (into !== undefined) {
      const { write } = await folders()
      const filed = await write(ports, into, plan, showSecrets)()
      if (filed._tag === 'Left') return { ...told, findings: [...found, ...filed.left] }
      return { ...told, findings: found, value: { _tag: 'Filed', folder: into, changed: filed.right } }
    }
    if (golden === undefined) {
      const planned = { plan, images, files: chosen?.files ?? [] }
      return { ...told, findings: found, value: { _tag: 'Planned', planned } }
    }
    const compared = await compareGolden(ports, folders)(golden, plan, isGuessed)
    const value: DryRun | undefined = compared.value && { _tag: 'Compared', golden: compared.value }
    return { ...told, findings: [...found, ...compared.findings], ...defined({ value }) }
  }
