/** `deploy --dry-run`: what would be applied, printed. No cluster is asked. */
import { type PlannedImage, plannedImages, plannedNotes } from '../../domain/build/show.ts'
import { filesTaken } from '../../domain/compose/choose.ts'
import { type Diagnostic, remark } from '../../domain/diagnostic/diagnostic.ts'
import { partition } from '../../domain/plan/action.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import { showPlan } from '../../domain/plan/show.ts'
import type { Ports } from '../../ports/ports.ts'
import type { OutputForm } from '../output/forms.ts'
import type { Outcome } from '../output/outcome.ts'
import { manifestPieces, printDocument } from '../output/print.ts'
import { type Report, writeReports } from '../reports/reports.ts'
import type { Wanted } from './choose.ts'
import { compareGolden, type Golden } from './golden.ts'
import { openProject } from './project.ts'
import type { Settings } from './settings.ts'
import type { Translation } from './translation.ts'

export type Deploy = {
  readonly wanted: Wanted
  readonly output: OutputForm
  readonly showSecrets: boolean
  readonly golden?: Golden | undefined
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

/** What a dry run leaves out of a manifest: what its commands and dependencies would do is not known. */
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

/** What the manifests leave open, because nobody said it. */
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

type Shown = {
  readonly plan: Plan
  readonly images: ReadonlyArray<PlannedImage>
  readonly files: ReadonlyArray<string>
}

const show = (output: OutputForm, { files, images, plan }: Shown, showSecrets: boolean): string | Iterable<string> => {
  switch (output) {
    case 'yaml':
      return manifestPieces(plan, showSecrets)
    case 'json':
      return printDocument({ plan, files, images }, showSecrets)
    case 'plan':
      return showPlan(plan, images)
  }
}

/** The images that the plan names, before they are built. */
const plannedIn = ({ images, plan, settings }: Translation): ReadonlyArray<PlannedImage> =>
  plan === undefined ? [] : plannedImages(images, { environment: plan.environment, registry: settings?.registry })

export const dryRun =
  (ports: Pick<Ports, 'files' | 'writer'>) =>
  async ({ golden, output, reports, showSecrets, version, wanted }: Deploy): Promise<Outcome> => {
    const withOrigins = output === 'plan' || golden !== undefined
    const project = openProject(ports)(wanted)
    const translated = await project.translate({ withOrigins })
    const { chosen, isGuessed, plan, settings } = translated
    const { line } = project
    const said = filesTaken(chosen)
    const open = plan === undefined || settings === undefined ? [] : openQuestions(plan, settings, showSecrets)
    const images = plannedIn(translated)
    const notes = [...plannedNotes(images), ...unrun(translated), ...open]
    const known = new Set(translated.findings.map(({ code }) => code))
    const findings = [...translated.findings, ...notes.filter(({ code }) => !known.has(code))]
    const unwritten = await writeReports(ports, version)(reports, findings)
    const found = [...findings, ...unwritten]
    if (plan === undefined || unwritten.length > 0) return { findings: found, said, line }
    if (golden === undefined) {
      const text = show(output, { plan, images, files: chosen?.files ?? [] }, showSecrets)
      return { findings: found, said, line, output: text }
    }
    const compared = await compareGolden(ports)(golden, plan, isGuessed)
    return { ...compared, findings: [...found, ...compared.findings], said: [...said, ...(compared.said ?? [])], line }
  }
