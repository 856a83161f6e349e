/** `destroy` of a project's environment, with the destroy commands of its manifest when it has one. */
import * as E from 'fp-ts/lib/Either.js'
import { namedImages } from '../../domain/build/image-variables.ts'
import { hasErrors } from '../../domain/checked.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import type { EnvironmentRecord } from '../../domain/environment/record.ts'
import { defined } from '../../domain/object/defined.ts'
import { type ManifestPorts, runDestroySection } from '../commands/manifest-commands.ts'
import type { CommandWorld } from '../deploy/deploy-project.ts'
import type { Project } from '../project/project.ts'
import type { Result } from '../result.ts'
import { type DestroyPorts, type DestroyReport, type Destruction, destroy } from './destroy.ts'

export type DestroyProject = Omit<Destruction, 'environment' | 'signal' | 'runCommands'> & {
  readonly project: Project
  readonly commandWorld: Omit<CommandWorld, 'again'>
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
const sectionOf = async (
  ports: ProjectPorts,
  { commandWorld, project, target }: DestroyProject,
  environment: string,
  files: ReadonlyArray<string>,
  signal: AbortSignal,
): Promise<Pick<Destruction, 'runCommands'> & { readonly findings: ReadonlyArray<Diagnostic> }> => {
  const { cwd, given, settings, shell } = project.wanted
  const {
    findings,
    manifest,
    settings: effective,
  } = await project.translate({
    settings: { ...settings, namespace: target.namespace },
    defaults: target.settings,
  })
  if (manifest === undefined)
    return { findings: findings.filter(({ severity }) => severity === 'error').map(asWarning) }
  if (manifest.destroy.length === 0) return { findings: [] }
  const run = {
    ...commandWorld,
    manifest,
    environment,
    target,
    settings: effective ?? {},
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

/** Finds what {@link destroy} finds, and why the name of the environment is unknown. */
export const destroyProject =
  (ports: ProjectPorts) =>
  async (destruction: DestroyProject): Promise<Result<DestroyReport>> => {
    const { isDryRun, project, signal } = destruction
    const { line } = project
    const { chosen, findings, name } = await project.name()
    if (name === undefined || hasErrors(findings)) return { findings, line }
    const isAlone = isDryRun || chosen === undefined
    const section = isAlone ? { findings: [] } : await sectionOf(ports, destruction, name, chosen.files, signal)
    const { runCommands } = section
    const commands = defined({ runCommands })
    const outcome = await destroy(ports)({ ...destruction, ...commands, environment: name, signal })
    return { ...outcome, findings: [...findings, ...section.findings, ...outcome.findings], line }
  }
