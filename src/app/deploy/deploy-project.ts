/**
 * `deploy` of a project: translates it for the cluster, then applies it, runs it as a dry run on the server, or shows
 * the differences.
 */
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { namedImages } from '../../domain/build/image-variables.ts'
import * as C from '../../domain/checked.ts'
import { filesTaken, noFiles } from '../../domain/compose/choose.ts'
import { type Diagnostic, strict } from '../../domain/diagnostic/diagnostic.ts'
import { type LineOf, withTexts } from '../../domain/diagnostic/lines.ts'
import type { DeployReport, EnvironmentRecord } from '../../domain/environment/record.ts'
import { rememberedOf, rememberedTexts } from '../../domain/environment/remembered.ts'
import { defined } from '../../domain/object/defined.ts'
import type { ChangeList } from '../../domain/plan/change-list.ts'
import { type JobRule, unknownJobs } from '../../domain/plan/jobs.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import { resolvePath } from '../../domain/text/path.ts'
import { publicUrl } from '../../domain/text/public-url.ts'
import type { Ports } from '../../ports/ports.ts'
import { imagesForDeploy } from '../build/for-deploy.ts'
import type { BuildPorts } from '../build/request.ts'
import { type ManifestPorts, type ManifestRun, runDeploySection } from '../commands/manifest-commands.ts'
import { confirmReplacements } from '../commands/replacements.ts'
import { askRules } from '../context/rights.ts'
import type { Target } from '../context/target.ts'
import { askedOnce } from '../environment/asked-once.ts'
import { gitFindings } from '../environment/claim.ts'
import { lookEarly } from '../environment/early-look.ts'
import { recordIn } from '../environment/find-record.ts'
import type { Project } from '../project/project.ts'
import { readSettings } from '../project/settings.ts'
import type { Translation } from '../project/translation.ts'
import { type Report, writeReports } from '../reports/reports.ts'
import type { Result } from '../result.ts'
import { differs, rowOf } from './changes.ts'
import { claimOf, type DeployClaim, lastRecord, mayDeploy } from './claim.ts'
import { deployPlan } from './deploy.ts'
import { refusedDeploy } from './preflight.ts'
import type { DeployRequest } from './request.ts'
import { previewDeploy } from './server-dry-run.ts'

/** The context that commands of a manifest need; see `ManifestRun`. */
export type CommandWorld = Pick<ManifestRun, 'program' | 'kubeconfig' | 'masks' | 'bash' | 'again' | 'terminal'>

/** `signal` ends the run: interrupted, or out of time. */
export type DeployProject = {
  readonly commandWorld: CommandWorld
  readonly project: Project
  readonly target: Target
  readonly mode: 'Apply' | 'Server' | 'Diff'
  /** Builds images even if the registry has them. */
  readonly buildsAll: boolean
  readonly reports: ReadonlyArray<Report>
  readonly version: string
  readonly isWaiting: boolean
  readonly failsFast: boolean
  readonly jobs: JobRule
  readonly force: boolean
  readonly isReproducible: boolean
  readonly isYes: boolean
  readonly breaksLock: boolean
  /** When the deploy fails, the last successful deployment is applied again. */
  readonly isAtomic: boolean
  /** The part of `signal` that is not a timeout. */
  readonly interrupted: AbortSignal
  readonly lockWaitMs: number
  /** The environment belongs to this project from now on, wherever it was deployed from. */
  readonly takesOver: boolean
  readonly signal: AbortSignal
}

type DeployPorts = Pick<Ports, 'writer' | 'machine' | 'prompt'> & ManifestPorts & BuildPorts

/** What was done, or would be done. */
export type DeployValue =
  | { readonly _tag: 'Deployed'; readonly report: DeployReport }
  | { readonly _tag: 'Previewed'; readonly list: ChangeList }

const differing = { what: 'the cluster differs from the file', help: '`devtool deploy` applies the changes' }

const tried = async (
  ports: DeployPorts,
  { mode, target: { namespace } }: DeployProject,
  deployment: DeployRequest,
): Promise<Result<DeployValue>> => {
  const { findings, previews } = await previewDeploy(ports)(deployment)
  if (C.hasErrors(findings)) return { findings }
  const list = { environment: deployment.plan.environment, namespace, changes: previews.map(rowOf) }
  const told = mode === 'Diff' ? [...findings, ...differs(list, differing)] : findings
  return { findings: told, value: { _tag: 'Previewed', list } }
}

const apply = async (
  ports: DeployPorts,
  { target: { namespace } }: DeployProject,
  deployment: DeployRequest,
): Promise<Result<DeployValue>> => {
  const { endpoints, findings, record } = await deployPlan(ports)(deployment)
  if (C.hasErrors(findings)) return { findings }
  const { environment } = deployment.plan
  const status = record === undefined ? {} : { status: record.status }
  const report = { environment, namespace, ...status, endpoints, phases: record?.phases ?? [] }
  return { findings, value: { _tag: 'Deployed', report } }
}

/** Runs the commands and dependencies of the manifest, when it has any. */
const sectionOf = (
  ports: DeployPorts,
  { commandWorld, project, target }: DeployProject,
  { built, manifest, settings = { volumeAffinity: true, profiles: [] } }: WithImages,
  { environment }: Plan,
): Pick<DeployRequest, 'before'> => {
  if (manifest === undefined || (manifest.deploy.commands.length === 0 && manifest.dependencies.length === 0)) return {}
  const { cwd, given, shell } = project.wanted
  const builds = namedImages(manifest.build, built)
  const run = { ...commandWorld, manifest, environment, target, settings, cwd, given, shell, builds }
  return { before: (signal) => runDeploySection(ports)(run, signal) }
}

/** The parts of a manifest that a destroy without it needs. */
const recordedOf = ({ manifest }: Translation): DeployRequest['recorded'] => ({
  destroyCommands: (manifest?.destroy ?? []).map(({ command, name }) => ({ name, command })),
  dependencies: (manifest?.dependencies ?? []).map(({ name, repository }) => ({
    name,
    repository: publicUrl(repository),
  })),
})

/** Endpoints whose address the file gives. */
const externalIn = ({ manifest }: Translation): DeployRequest['external'] =>
  (manifest?.external ?? []).flatMap(({ endpoints, name }) =>
    endpoints.flatMap(({ name: endpoint, url }) => (url === undefined ? [] : [{ name: `${name}/${endpoint}`, url }])),
  )

const deploymentOf = (
  ports: DeployPorts,
  deploy: DeployProject,
  translated: WithImages,
  plan: Plan,
  claimed: DeployClaim,
): DeployRequest => {
  const { breaksLock, failsFast, force, interrupted, isAtomic, isWaiting, lockWaitMs, project, jobs, target, signal } =
    deploy
  const { wanted } = project
  const { switchedOff = [] } = translated
  return {
    target,
    plan,
    ...claimed.own,
    settings: rememberedOf(translated.settings ?? {}),
    refusal: claimed.refusal,
    external: externalIn(translated),
    switchedOff: new Set(switchedOff),
    isPartial: wanted.services.length > 0,
    isWaiting,
    failsFast,
    jobs,
    force,
    breaksLock,
    purpose: { _tag: 'Deploy' },
    isAtomic,
    interrupted,
    lockWaitMs,
    signal,
    recorded: recordedOf(translated),
    ...sectionOf(ports, deploy, translated, plan),
  }
}

/** Messages about settings that come from the last deploy, or differ from it. */
const settingTexts = (
  { project: { wanted }, target }: DeployProject,
  last: EnvironmentRecord | undefined,
  { settings, variables = () => undefined }: Pick<Translation, 'settings' | 'variables'>,
): ReadonlyArray<string> => {
  const told = C.valueOf(readSettings(wanted.settings, variables, target.settings)) ?? {}
  return rememberedTexts(last?.settings ?? {}, told, settings ?? {})
}

/** Translates for this cluster: its namespace, the settings of its context, and the images that were built. */
const translateFor = (
  { project, target }: DeployProject,
  built?: ReadonlyMap<string, string>,
): Promise<Translation> => {
  const settings = { ...project.wanted.settings, namespace: target.namespace }
  return project.translate({ settings, defaults: target.settings, withOrigins: true, built })
}

/** A translation with all its images; `built` is by path. */
type WithImages = Translation & { readonly built: ReadonlyMap<string, string> }

const tellFound = ({ progress }: DeployPorts, findings: ReadonlyArray<Diagnostic>, line: LineOf): void => {
  for (const diagnostic of findings) progress.tell({ _tag: 'Found', diagnostic, line })
}

/** Findings of the builder refer to lines of Dockerfiles, so their texts come along. */
type ImageFindings = Pick<Result<never>, 'findings' | 'line'>

/** Translates again when images were built, since anything may refer to them. Findings are reported at once. */
export const withImages =
  (ports: DeployPorts, deploy: DeployProject, translated: Translation): TE.TaskEither<ImageFindings, WithImages> =>
  async () => {
    const { buildsAll, isReproducible, mode, project, target, signal } = deploy
    const { line, wanted } = project
    const work = { wanted, target, isForced: buildsAll, isReproducible, isTrying: mode !== 'Apply', signal }
    const images = await imagesForDeploy(ports)(translated, work)
    if (images === undefined) return E.right({ ...translated, built: new Map() })
    const { built, texts } = images
    const findings = wanted.isStrict ? strict(images.findings) : images.findings
    if (C.hasErrors(findings)) return E.left({ findings, line: withTexts(line, texts) })
    tellFound(ports, findings, withTexts(line, texts))
    const again = await translateFor(deploy, built)
    return C.hasErrors(again.findings) ? E.left({ findings: again.findings, line }) : E.right({ ...again, built })
  }

/** Asks before anything is changed. With `--yes`, the differences need not be looked up. */
const confirmed = (
  ports: DeployPorts,
  { commandWorld, isYes, mode, project, signal, target }: DeployProject,
  { manifest }: WithImages,
): Promise<ReadonlyArray<Diagnostic>> => {
  if (manifest === undefined || mode !== 'Apply' || isYes || !commandWorld.again) return Promise.resolve([])
  const { shell } = project.wanted
  return confirmReplacements(ports, manifest.dependencies, { target, shell, signal })
}

/** `stopped`: aborted when early requests are not needed any more. */
const deployWith = async (
  ports: DeployPorts,
  asked: DeployProject,
  stopped: AbortSignal,
): Promise<Result<DeployValue>> => {
  const { cwd } = asked.project.wanted
  const { chosen = noFiles, name } = await asked.project.name()
  const asking = ports.git.head(resolvePath(cwd, chosen.folder))
  const isApplied = asked.mode === 'Apply'
  const untilEnd = AbortSignal.any([asked.signal, stopped])
  const reading = lastRecord(name, asked.target, asked.signal)()
  const rules = isApplied ? askRules(asked.target, untilEnd)() : undefined
  const found = await reading
  // A dry run can do without the record.
  const read = E.isRight(found) ? found.right : undefined
  const last = read === undefined ? undefined : recordIn(read)
  const early = isApplied && !asked.breaksLock ? lookEarly(ports.clock, asked.target, read, untilEnd) : undefined
  const settings = { ...last?.settings, ...asked.target.settings }
  const deploy: DeployProject = { ...asked, target: { ...asked.target, settings } }
  const { line } = deploy.project
  // Translation blocks everything else, so the requests are sent before it begins.
  await asking
  const translated = await translateFor(deploy)
  const { findings } = translated
  const unwritten = await writeReports(ports, deploy.version)(deploy.reports, findings)
  const told = [...findings, ...unwritten]
  if (translated.plan === undefined || C.hasErrors(unwritten)) {
    return { findings: told, ...defined({ chosen: translated.chosen }), line }
  }
  const noJobs = unknownJobs(deploy.jobs, translated.plan)
  if (noJobs.length > 0) return { findings: noJobs, ...defined({ chosen: translated.chosen }), line }
  for (const text of filesTaken(translated.chosen)) ports.progress.tell({ _tag: 'Said', text })
  tellFound(ports, told, line)
  if (E.isLeft(found) && isApplied) return { findings: [found.left], line }
  for (const text of settingTexts(asked, last, translated)) ports.progress.tell({ _tag: 'Said', text })
  const refused = await gitFindings(ports, asked.project.wanted.cwd, translated.chosen ?? noFiles)
  const refusals = asked.project.wanted.isStrict ? strict(refused) : refused
  if (C.hasErrors(refusals)) return { findings: refusals, line }
  tellFound(ports, refusals, line)
  const claimed = await claimOf(ports, deploy, last, translated, translated.plan.environment)
  const allowed = await mayDeploy(ports, isApplied, claimed)()
  if (E.isLeft(allowed)) return { findings: [allowed.left], line }
  tellFound(ports, allowed.right, line)
  if (rules !== undefined) {
    const first = deploymentOf(ports, deploy, { ...translated, built: new Map() }, translated.plan, claimed)
    const denied = await refusedDeploy(ports, { ...first, rules: () => rules, early, found: read })
    if (denied.length > 0) return { findings: denied, line }
  }
  const ready = await withImages(ports, deploy, translated)()
  if (E.isLeft(ready)) return ready.left
  const { plan } = ready.right
  if (plan === undefined) return { findings: ready.right.findings, line }
  const unconfirmed = await confirmed(ports, deploy, ready.right)
  if (unconfirmed.length > 0) return { findings: unconfirmed, line }
  const deployment = { ...deploymentOf(ports, deploy, ready.right, plan, claimed), early }
  const run = isApplied ? apply : tried
  return { ...(await run(ports, deploy, deployment)), line }
}

export const deployProject =
  (given: DeployPorts) =>
  async (asked: DeployProject): Promise<Result<DeployValue>> => {
    const ended = new AbortController()
    try {
      return await deployWith({ ...given, git: askedOnce(given.git) }, asked, ended.signal)
    } finally {
      ended.abort()
    }
  }
