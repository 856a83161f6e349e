/** `destroy` of a project's environment, with the destroy commands of its manifest when it has one. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { namedImages } from '../../domain/build/image-variables.ts'
import { hasErrors } from '../../domain/checked.ts'
import { noFiles } from '../../domain/compose/choose.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import { claimIn, type EnvironmentRecord } from '../../domain/environment/record.ts'
import { judgeDestroy, type SourceVerdict } from '../../domain/environment/source.ts'
import { defined } from '../../domain/object/defined.ts'
import { type ManifestPorts, runDestroySection } from '../commands/manifest-commands.ts'
import type { CommandWorld } from '../deploy/deploy-project.ts'
import { changedVerdict, foreignProject, settled, sourceOf } from '../environment/claim.ts'
import { findRecord, recordIn } from '../environment/find-record.ts'
import { givenName } from '../project/environment-name.ts'
import type { Named } from '../project/naming.ts'
import type { Project } from '../project/project.ts'
import type { Translation } from '../project/translation.ts'
import type { Result } from '../result.ts'
import { type DestroyPorts, type DestroyReport, type Destruction, destroy } from './destroy.ts'

export type DestroyProject = Omit<Destruction, 'environment' | 'signal' | 'runCommands' | 'refusal'> & {
  readonly project: Project
  readonly commandWorld: Omit<CommandWorld, 'again'>
  /** Destroys it wherever it was deployed from. */
  readonly takesOver: boolean
  /** Ends the run: interrupted, or out of time. */
  readonly signal: AbortSignal
}

type ProjectPorts = DestroyPorts & ManifestPorts

const asWarning = (found: Diagnostic): Diagnostic => ({ ...found, severity: 'warning' })

/**
 * Another project may have been deployed under this name. The path of the folder cannot tell, since it differs between
 * machines.
 */
const isMadeFrom = ({ source }: EnvironmentRecord, files: ReadonlyArray<string>): boolean =>
  source.files === undefined || source.files.join('\n') === files.join('\n')

/** Errors in files do not prevent destroy; they are reported when they hide the commands. */
const sectionOf = (
  ports: ProjectPorts,
  { commandWorld, project, signal, target }: DestroyProject,
  environment: string,
  files: ReadonlyArray<string>,
  { findings, manifest, settings = { volumeAffinity: true, profiles: [] } }: Translation,
): Pick<Destruction, 'runCommands'> & { readonly findings: ReadonlyArray<Diagnostic> } => {
  if (manifest === undefined)
    return { findings: findings.filter(({ severity }) => severity === 'error').map(asWarning) }
  if (manifest.destroy.length === 0) return { findings: [] }
  const { cwd, given, shell } = project.wanted
  const run = {
    ...commandWorld,
    manifest,
    environment,
    target,
    settings,
    cwd,
    given,
    shell,
    again: false,
    builds: namedImages(manifest.build),
  }
  return {
    findings: [],
    runCommands: (_lock, record) => async () => {
      if (record !== undefined && !isMadeFrom(record, files)) {
        const text = `the destroy commands of ${manifest.file} are not run, since ${environment} was deployed from other files`
        ports.progress.tell({ _tag: 'Said', text })
        return E.right(undefined)
      }
      const found = await runDestroySection(ports)(run, signal)
      return hasErrors(found) ? E.left(found) : E.right(undefined)
    },
  }
}

/** `warnings`: to go on with. `refusal`: of the record that is found under the lock. */
type Allowed = { readonly warnings: ReadonlyArray<Diagnostic> } & Pick<Destruction, 'refusal'>

const unjudged: Allowed = { warnings: [], refusal: () => undefined }

/** A record that cannot be read may be another project's. */
const unreadText = (environment: string): string =>
  `destroy the environment "${environment}", of which nothing tells where it was deployed from?`

/** Whether an environment that may be another project's is destroyed. `--all` names none. */
const mayDestroy = (
  ports: ProjectPorts,
  { options, project: { wanted }, takesOver, target, signal }: DestroyProject,
  { chosen, folder, isGuessed }: Named,
  environment: string,
  services: ReadonlyArray<string>,
): TE.TaskEither<Diagnostic, Allowed> => {
  const isSaid = givenName(wanted) !== undefined
  if (options.isAll || isSaid || takesOver) return TE.right(unjudged)
  return pipe(
    findRecord(target, environment, signal),
    TE.bindTo('found'),
    TE.apS(
      'source',
      TE.fromTask(() => sourceOf(ports, wanted.cwd, chosen ?? { ...noFiles, folder })),
    ),
    TE.flatMap(({ found, source }) => {
      const { namespace } = target
      const own = { source, services }
      const judge = (record: EnvironmentRecord | undefined): SourceVerdict => {
        const recorded = record === undefined ? undefined : claimIn(record)
        return judgeDestroy({ environment, namespace, recorded, own, isGuessed, isSaid, takesOver })
      }
      const verdict: SourceVerdict =
        found._tag === 'Unreadable'
          ? { _tag: 'Ask', text: unreadText(environment), flag: `--name ${environment}` }
          : judge(recordIn(found))
      return pipe(
        settled(ports, verdict),
        TE.map((warnings) => ({ warnings, refusal: (previous) => changedVerdict(verdict, judge(previous)) })),
      )
    }),
  )
}

const sayForeign = (
  ports: ProjectPorts,
  { project: { wanted }, signal, target }: DestroyProject,
  named: Named,
): TE.TaskEither<Diagnostic, Allowed> =>
  TE.fromTask(async () => {
    const text = await foreignProject(ports)(target, wanted, named, signal)
    if (text !== undefined) ports.progress.tell({ _tag: 'Said', text })
    return unjudged
  })

/** Finds what {@link destroy} finds, and why the name of the environment is unknown. */
export const destroyProject =
  (ports: ProjectPorts) =>
  async (destruction: DestroyProject): Promise<Result<DestroyReport>> => {
    const { isDryRun, project, target } = destruction
    const { line, wanted } = project
    const named = await project.name()
    const { chosen, findings, name } = named
    if (name === undefined || hasErrors(findings)) return { findings, line }
    const settings = { ...wanted.settings, namespace: target.namespace }
    const translated =
      isDryRun || chosen === undefined ? undefined : await project.translate({ settings, defaults: target.settings })
    const services = translated?.declared ?? []
    const allowing = isDryRun
      ? sayForeign(ports, destruction, named)
      : mayDestroy(ports, destruction, named, name, services)
    const allowed = await allowing()
    if (E.isLeft(allowed)) return { findings: [...findings, allowed.left], line }
    const section =
      translated === undefined || chosen === undefined
        ? { findings: [] }
        : sectionOf(ports, destruction, name, chosen.files, translated)
    const { runCommands } = section
    const outcome = await destroy(ports)({
      ...destruction,
      ...defined({ runCommands }),
      refusal: allowed.right.refusal,
      environment: name,
    })
    return {
      ...outcome,
      findings: [...findings, ...allowed.right.warnings, ...section.findings, ...outcome.findings],
      line,
    }
  }
