/** `destroy` of a project's environment, with the destroy commands of its manifest when it has one. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { namedImages } from '../../domain/build/image-variables.ts'
import { hasErrors } from '../../domain/checked.ts'
import { noFiles } from '../../domain/compose/choose.ts'
import { commandsVerdict, verdictBeside } from '../../domain/destroy/commands.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import type { EnvironmentRecord } from '../../domain/environment/record.ts'
import {
  type EnvironmentSource,
  judgeDestroy,
  type SourceClaim,
  type SourceVerdict,
} from '../../domain/environment/source.ts'
import { defined } from '../../domain/object/defined.ts'
import { type ManifestPorts, runDestroySection } from '../commands/manifest-commands.ts'
import type { CommandWorld } from '../deploy/deploy-project.ts'
import { askedOnce } from '../environment/asked-once.ts'
import { changedVerdict, foreignText, gitFindings, questionOf, settled, sourceOf } from '../environment/claim.ts'
import { recordIn } from '../environment/find-record.ts'
import { givenName } from '../project/environment-name.ts'
import type { NamedProject } from '../project/naming.ts'
import type { Project } from '../project/project.ts'
import type { Translation } from '../project/translation.ts'
import type { Result } from '../result.ts'
import { destroyAlong } from './along.ts'
import { destroy } from './destroy.ts'
import type { DestroyReport } from './report.ts'
import type { DestroyCommands, DestroyPorts, Destruction, Permission } from './request.ts'

export type DestroyProject = Omit<Destruction, 'environment' | 'commands' | 'allow'> & {
  readonly project: Project
  readonly commandWorld: Omit<CommandWorld, 'again'>
  /** Skips the destroy commands of the manifest. */
  readonly skipsCommands: boolean
  /** The manifest has the destroy commands of the record, as in a run of the platform without a repository. */
  readonly runsRecorded: boolean
  /** Destroys it whichever source it was deployed from. */
  readonly takesOver: boolean
  /** Also destroys the environments that it depends on and no other one needs. */
  readonly withDependencies: boolean
}

type ProjectPorts = DestroyPorts & ManifestPorts

const asWarning = (found: Diagnostic): Diagnostic => ({ ...found, severity: 'warning' })

const isErrorFinding = ({ severity }: Diagnostic): boolean => severity === 'error'

type Reading = Pick<DestroyProject, 'isDryRun' | 'project' | 'skipsCommands'> & {
  readonly target: Pick<DestroyProject['target'], 'namespace' | 'settings'>
}

/** Errors of the manifest may hide commands that have to run. Other files are not needed. */
const errorsIn = (
  { isDryRun, skipsCommands }: Reading,
  { chosen, findings, isManifest = false, manifest }: Translation,
): ReadonlyArray<Diagnostic> => {
  if (manifest !== undefined) return []
  const errors = findings.filter(isErrorFinding)
  const mayHideCommands = isManifest || chosen?.files.some((file) => /(^|\/)devtool\.ya?ml$/.test(file)) === true
  return mayHideCommands && !isDryRun && !skipsCommands ? errors : errors.map(asWarning)
}

/**
 * Adds to the finding of a failed command how to destroy without it; an interrupted command runs again with the next
 * destroy.
 */
const withWayOut = (found: Diagnostic): Diagnostic =>
  found.code === 'DT3501'
    ? {
        ...found,
        help: [found.help, 'nothing else was deleted: `devtool destroy --skip-commands` goes on without them']
          .filter(Boolean)
          .join('\n'),
      }
    : found

const commandsOf = (
  ports: ProjectPorts,
  { commandWorld, project, runsRecorded, signal, skipsCommands: skips, target }: DestroyProject,
  environment: string,
  source: EnvironmentSource,
  { manifest, settings = { volumeAffinity: true, profiles: [] } }: Partial<Translation>,
): DestroyCommands => {
  const present =
    manifest === undefined
      ? undefined
      : { commands: manifest.destroy, source: runsRecorded ? ('Record' as const) : source }
  const { cwd, given, shell } = project.wanted
  return {
    judge: (record, isThere) => commandsVerdict({ environment, isThere, record, present, skips }),
    judgeOther: (record) => verdictBeside(environment, record, skips),
    run: async () => {
      if (manifest === undefined) return E.right(undefined)
      const builds = namedImages(manifest.build)
      const world = {
        ...commandWorld,
        manifest,
        environment,
        target,
        settings,
        cwd,
        given,
        shell,
        again: false,
        builds,
      }
      const found = await runDestroySection(ports)(world, signal)
      return hasErrors(found) ? E.left(found.map(withWayOut)) : E.right(undefined)
    },
  }
}

const unjudged: Permission = { warnings: [], refusal: () => undefined }

/** A record that cannot be read may be another project's. */
const unreadText = (environment: string): string =>
  `destroy the environment "${environment}", of which nothing tells where it was deployed from?`

/**
 * Whether an environment that may belong to another project is destroyed. `--all` names none. A dry run only reports
 * it.
 */
const mayDestroy =
  (
    ports: ProjectPorts,
    { isDryRun, options, project: { wanted }, takesOver, target }: DestroyProject,
    { isGuessed }: NamedProject,
    environment: string,
    own: SourceClaim,
  ): Destruction['allow'] =>
  (found) => {
    const isSaid = givenName(wanted) !== undefined
    if ((options.isAll && !isDryRun) || isSaid || takesOver) return TE.right(unjudged)
    if (isDryRun) {
      const text = foreignText(recordIn(found), own.source)
      if (text !== undefined) ports.progress.tell({ _tag: 'Said', text })
      return TE.right(unjudged)
    }
    const question = questionOf({ environment, isGuessed, own, takesOver, target, wanted })
    const judge = (record: EnvironmentRecord | undefined): SourceVerdict => judgeDestroy(question(record))
    const verdict: SourceVerdict =
      found._tag === 'Unreadable'
        ? { _tag: 'Ask', text: unreadText(environment), flag: `--name ${environment}` }
        : judge(recordIn(found))
    return pipe(
      settled(ports, verdict),
      TE.map((warnings) => ({ warnings, refusal: (previous) => changedVerdict(verdict, judge(previous)) })),
    )
  }

/**
 * Reports that git refuses to read the repository. Without commands that does not matter when the environment is named.
 */
const sayRefused = async (
  ports: ProjectPorts,
  { options, project: { wanted } }: DestroyProject,
  { chosen, folder }: NamedProject,
  hasCommands: boolean,
): Promise<void> => {
  if (!hasCommands && (options.isAll || givenName(wanted) !== undefined)) return
  const refused = await gitFindings(ports, wanted.cwd, chosen ?? { folder })
  for (const diagnostic of refused) ports.progress.tell({ _tag: 'Found', diagnostic })
}

type ReadProject = {
  readonly named: NamedProject & { readonly name: string }
  readonly findings: ReadonlyArray<Diagnostic>
  readonly translated?: Translation
}

/** Reads the name of the environment and the files, or finds what is wrong with them. */
export const readForDestroy = (reading: Reading): TE.TaskEither<ReadonlyArray<Diagnostic>, ReadProject> => {
  const { project, target } = reading
  return async () => {
    const named = await project.name()
    const { chosen, findings, name } = named
    if (name === undefined || hasErrors(findings)) return E.left(findings)
    const settings = { ...project.wanted.settings, namespace: target.namespace }
    const translated =
      chosen === undefined ? undefined : await project.translate({ settings, defaults: target.settings })
    const all = [...findings, ...(translated === undefined ? [] : errorsIn(reading, translated))]
    return hasErrors(all)
      ? E.left(all)
      : E.right({ named: { ...named, name }, findings: all, ...defined({ translated }) })
  }
}

/** Finds what {@link destroy} finds, why the name of the environment is unknown, and why a manifest cannot be read. */
export const destroyProject =
  (given: ProjectPorts) =>
  async (destruction: DestroyProject): Promise<Result<DestroyReport>> => {
    const ports = { ...given, git: askedOnce(given.git) }
    const { line, wanted } = destruction.project
    const read = await readForDestroy(destruction)()
    if (E.isLeft(read)) return { findings: read.left, line }
    const { findings, named, translated } = read.right
    const { chosen, folder, name } = named
    await sayRefused(ports, destruction, named, (translated?.manifest?.destroy ?? []).length > 0)
    const source = await sourceOf(ports, wanted.cwd, chosen ?? { ...noFiles, folder })
    const whole: Destruction = {
      ...destruction,
      allow: mayDestroy(ports, destruction, named, name, { source, services: translated?.declared ?? [] }),
      commands: commandsOf(ports, destruction, name, source, translated ?? {}),
      environment: name,
    }
    const isAlong = destruction.withDependencies && !destruction.options.isAll
    const outcome = await (isAlong ? destroyAlong(ports)(whole, destruction.skipsCommands) : destroy(ports)(whole))
    return { ...outcome, findings: [...findings, ...outcome.findings], line }
  }
