/** `rollback`: applies the plan of an earlier deployment, as a new one. */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { hasErrors } from '../../domain/checked.ts'
import { noFiles } from '../../domain/compose/choose.ts'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import { findEntry, type PlannedEntry } from '../../domain/environment/history.ts'
import { claimIn, type EnvironmentRecord } from '../../domain/environment/record.ts'
import type { RollbackReport } from '../../domain/environment/rollback.ts'
import { judgeDeploy, type SourceVerdict } from '../../domain/environment/source.ts'
import type { StoredPlan } from '../../domain/environment/stored-plan.ts'
import { defined } from '../../domain/object/defined.ts'
import { endpointsOf } from '../../domain/plan/endpoints.ts'
import type { Ports } from '../../ports/ports.ts'
import { askYes } from '../ask-yes.ts'
import type { Target } from '../context/target.ts'
import { changedVerdict, settled, sourceOf } from '../environment/claim.ts'
import { findRecord, readable, recordIn } from '../environment/find-record.ts'
import { loadPlan } from '../environment/load-plan.ts'
import { givenName } from '../project/environment-name.ts'
import type { NamedProject } from '../project/naming.ts'
import type { Project } from '../project/project.ts'
import { answer, type Result } from '../result.ts'
import { deployPlan } from './deploy.ts'
import { earlierDeploy } from './go-back.ts'
import { missingImages } from './missing-images.ts'
import type { DeployRequest } from './request.ts'
import { type Preview, previewDeploy } from './server-dry-run.ts'

/** `number`: the deployment to restore; without it, the last one before the current one that has another plan. */
export type RollbackRequest = Pick<
  DeployRequest,
  'target' | 'isWaiting' | 'breaksLock' | 'lockWaitMs' | 'force' | 'signal' | 'interrupted'
> & {
  readonly project: Project
  readonly number?: number
  readonly isYes: boolean
  readonly takesOver: boolean
}

type Wanted = Pick<RollbackRequest, 'number' | 'project' | 'signal' | 'target'>

type RollbackPorts = Pick<Ports, 'clock' | 'git' | 'machine' | 'progress' | 'prompt' | 'registry'>

const absent = (environment: string, { namespace }: Pick<Target, 'namespace'>): Diagnostic =>
  error('DT3407', `there is no environment "${environment}" in namespace ${namespace}`, {
    help: '`devtool list` lists the environments, `devtool deploy` creates one',
  })

/** Checks whether the environment belongs to another project. */
const judging = async (
  ports: RollbackPorts,
  { project, takesOver, target }: RollbackRequest,
  { chosen, folder, isGuessed }: NamedProject,
  environment: string,
): Promise<(record: EnvironmentRecord | undefined) => SourceVerdict> => {
  const { wanted } = project
  const settings = { ...wanted.settings, namespace: target.namespace }
  const translated = chosen === undefined ? undefined : await project.translate({ settings, defaults: target.settings })
  const source = await sourceOf(ports, wanted.cwd, chosen ?? { ...noFiles, folder })
  const own = { source, services: translated?.declared ?? [] }
  const isSaid = givenName(wanted) !== undefined
  const question = { environment, namespace: target.namespace, own, isSaid, isGuessed, takesOver, isPartial: true }
  return (record) => judgeDeploy({ ...question, recorded: record === undefined ? undefined : claimIn(record) })
}

type FoundDeployment = {
  readonly environment: string
  readonly entry: PlannedEntry
  readonly stored: StoredPlan
  readonly refusal: DeployRequest['refusal']
  /** No commands run, so the recorded ones are kept. */
  readonly recorded: DeployRequest['recorded']
  readonly warnings: ReadonlyArray<Diagnostic>
}

const recordedIn = (
  { number, signal, target }: Wanted,
  environment: string,
): TE.TaskEither<Diagnostic, Pick<FoundDeployment, 'entry'> & { readonly record: EnvironmentRecord }> =>
  pipe(
    findRecord(target, environment, signal),
    TE.flatMapEither(readable),
    TE.map(recordIn),
    TE.flatMap((record) => (record === undefined ? TE.left(absent(environment, target)) : TE.right(record))),
    TE.bindTo('record'),
    TE.bind('entry', ({ record }) => TE.fromEither(findEntry(environment, record.history ?? [], number))),
  )

/** Fails when there is no such deployment. */
export const isRecorded = (wanted: Wanted): TE.TaskEither<ReadonlyArray<Diagnostic>, unknown> =>
  pipe(
    TE.fromTask<NamedProject, ReadonlyArray<Diagnostic>>(wanted.project.name),
    TE.flatMap(({ findings, name }) =>
      name === undefined || hasErrors(findings)
        ? TE.left(findings)
        : TE.mapLeft((found: Diagnostic) => [...findings, found])(recordedIn(wanted, name)),
    ),
  )

const find = (
  ports: RollbackPorts,
  wanted: RollbackRequest,
  named: NamedProject,
  environment: string,
): TE.TaskEither<Diagnostic, FoundDeployment> => {
  const { signal, target } = wanted
  return pipe(
    recordedIn(wanted, environment),
    TE.bind('judge', () => TE.fromTask(() => judging(ports, wanted, named, environment))),
    TE.bind('warnings', ({ judge, record }) => settled(ports, judge(record))),
    TE.bind('stored', ({ entry }) => loadPlan(target, environment, entry, signal)),
    TE.map(({ entry, judge, record, stored, warnings }) => ({
      environment,
      entry,
      stored,
      warnings,
      recorded: { dependencies: record.dependencies ?? [], destroyCommands: record.destroyCommands ?? [] },
      refusal: (previous) => changedVerdict(judge(record), judge(previous)),
    })),
  )
}

const isChange = ({ what }: Preview): boolean => what !== 'Same'

/** The differences are shown even if the question is answered by a flag. */
const confirmed = (
  { progress, prompt }: RollbackPorts,
  { isYes, target: { namespace } }: RollbackRequest,
  { entry: { number }, environment }: FoundDeployment,
  changes: ReadonlyArray<Preview>,
): TE.TaskEither<Diagnostic, true> => {
  const say = (text: string): void => progress.tell({ _tag: 'Said', text })
  for (const { diff } of changes) {
    for (const line of diff.trimEnd().split('\n')) say(line.replace(/^\+\+\+ file\//, `+++ deployment ${number}/`))
  }
  say('volumes and their data, Jobs, and what commands created stay as they are')
  const objects = `${changes.length} object${changes.length === 1 ? '' : 's'}`
  const text = `go back to deployment ${number} of "${environment}" in namespace ${namespace}, which changes ${objects}?`
  return isYes ? TE.right(true) : askYes(prompt, { text, flag: '--yes' })
}

const carryOut = async (
  ports: RollbackPorts,
  wanted: RollbackRequest,
  ready: FoundDeployment,
): Promise<Result<RollbackReport>> => {
  const { signal, target } = wanted
  const { entry, environment, recorded, refusal, stored, warnings } = ready
  const gone = await missingImages(ports, stored.plan, signal)
  if (gone.length > 0) return { findings: [...warnings, ...gone] }
  const { isWaiting, breaksLock, force, interrupted, lockWaitMs } = wanted
  const earlier = earlierDeploy(stored, entry.number)
  const deployment = {
    ...earlier,
    ...{ target, isWaiting, breaksLock, force, interrupted, lockWaitMs, signal, recorded, refusal },
    isAtomic: false,
    failsFast: false,
  }
  const { findings, previews } = await previewDeploy(ports)(deployment)
  if (hasErrors(findings)) return { findings: [...warnings, ...findings] }
  const changes = previews.filter(isChange)
  const { namespace } = target
  const changed = changes.map(({ name }) => name)
  const report = { environment, namespace, to: entry.number, changed, endpoints: endpointsOf(stored.plan) }
  if (changes.length === 0) return { findings: warnings, value: report }
  const answered = await confirmed(ports, wanted, ready, changes)()
  if (answered._tag === 'Left') return { findings: [...warnings, answered.left] }
  const deployed = await deployPlan(ports)(deployment)
  const told = [...warnings, ...deployed.findings]
  if (hasErrors(told)) return { findings: told }
  const number = deployed.record?.history?.at(-1)?.number
  return { findings: told, value: { ...report, ...defined({ number }) } }
}

/** Finds DT3114, DT3116, DT3141 to DT3144, DT3407, and the findings of a deploy. */
export const rollback =
  (ports: RollbackPorts) =>
  async (wanted: RollbackRequest): Promise<Result<RollbackReport>> => {
    const { line } = wanted.project
    const named = await wanted.project.name()
    const { findings, name } = named
    if (name === undefined || hasErrors(findings)) return { findings, line }
    const work = pipe(
      find(ports, wanted, named, name),
      TE.flatMapTask((ready) => () => carryOut(ports, wanted, ready)),
    )
    const done = await answer(work)
    return { ...done, findings: [...findings, ...done.findings], line }
  }
