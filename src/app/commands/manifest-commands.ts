/** What a manifest does besides its services: deploying dependencies, and running commands on deploy and on destroy. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { hasErrors } from '../../domain/checked.ts'
import { failureDiagnostic } from '../../domain/cluster/failure.ts'
import { withoutOwnRepository } from '../../domain/commands/git-variables.ts'
import { maskedVariables } from '../../domain/commands/masked-variables.ts'
import {
  type BuiltImage,
  commandVariables,
  type DependencyVariables as Given,
} from '../../domain/commands/variables.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import type { InventoryEntry } from '../../domain/environment/record.ts'
import type { Manifest, ManifestCommand } from '../../domain/manifest/model.ts'
import { defined } from '../../domain/object/defined.ts'
import { resolvePath } from '../../domain/text/path.ts'
import type { Created } from '../../ports/cluster.ts'
import type { TerminalSize } from '../../ports/commands.ts'
import type { Ports } from '../../ports/ports.ts'
import type { Target } from '../context/target.ts'
import { loadVariables, saveVariables } from '../environment/variables.ts'
import type { Settings } from '../project/settings.ts'
import { type CommandsFailed, type CommandsRan, runCommands } from './commands.ts'
import { deployDependencies } from './dependencies.ts'

export type ManifestPorts = Pick<Ports, 'clock' | 'commands' | 'git' | 'progress'>

/**
 * `cwd`: the folder that the manifest's folder is relative to. `given`: the variables of --var. `program`: the argv
 * that starts this devtool. `terminal`: that of the output, when it is one.
 */
export type ManifestRun = {
  readonly manifest: Manifest
  readonly environment: string
  readonly target: Target
  readonly settings: Pick<Settings, 'domain' | 'registry'>
  readonly cwd: string
  readonly given: ReadonlyMap<string, string>
  readonly shell: ReadonlyMap<string, string>
  /** Variables of --var to mask whatever their names and values. */
  readonly masks: ReadonlyArray<string>
  readonly program: ReadonlyArray<string>
  readonly kubeconfig?: string
  readonly bash: boolean
  readonly again: boolean
  /** Images of the manifest that were built, or to which it gives a name. */
  readonly builds: ReadonlyArray<BuiltImage>
  readonly terminal?: TerminalSize
}

/** What commands created, in the namespace and outside of it, whether they succeeded or not. */
export type CommandResults = {
  readonly inventory: ReadonlyArray<InventoryEntry>
  readonly foreign: ReadonlyArray<InventoryEntry>
  readonly findings: ReadonlyArray<Diagnostic>
}

const entryOf = ({ isForeign: _isForeign, namespace, ...created }: Created, own: string): InventoryEntry => ({
  ...created,
  ...(namespace === undefined || namespace === own ? {} : { namespace }),
})

const madeOf = (
  created: ReadonlyArray<Created>,
  namespace: string,
  findings: ReadonlyArray<Diagnostic>,
): CommandResults => ({
  inventory: created.filter(({ isForeign }) => !isForeign).map((one) => entryOf(one, namespace)),
  foreign: created.filter(({ isForeign }) => isForeign).map((one) => entryOf(one, namespace)),
  findings,
})

/** `secrets`: values to mask in the output of commands. */
type Variables = {
  readonly vars: ReadonlyMap<string, string>
  readonly secrets: ReadonlyArray<string>
  readonly dependencies: ReadonlyArray<Given>
  readonly commands: ReadonlyArray<ManifestCommand>
}

const run =
  (
    ports: ManifestPorts,
    given: ManifestRun,
    variables: Variables,
    signal: AbortSignal,
  ): TE.TaskEither<CommandsFailed, CommandsRan> =>
  async () => {
    const { bash, builds, cwd, environment, manifest, target, settings, shell, terminal } = given
    const { commands, dependencies, secrets, vars } = variables
    const folder = resolvePath(cwd, manifest.folder)
    const { namespace } = target
    const { gitFolder, ...head } = await ports.git.head(folder)
    const known = withoutOwnRepository(new Map([...(target.variables ?? []), ...shell]), cwd, gitFolder)
    const facts = { shell: known, environment, namespace, ...settings, ...head, vars }
    return runCommands(ports)({
      target,
      environment,
      commands,
      folder,
      variables: commandVariables({ ...facts, builds, dependencies }),
      secrets,
      bash,
      ...defined({ terminal }),
      signal,
    })()
  }

/**
 * The values to mask: those of the platform, whatever their names, and those of --var. Reports variables that look like
 * secrets but cannot be masked.
 */
const secretsOf = (
  { progress }: ManifestPorts,
  { masks, target }: ManifestRun,
  variables: Iterable<readonly [string, string]>,
): ReadonlyArray<string> => {
  const { unmasked, values } = maskedVariables(variables, masks)
  for (const name of new Set(unmasked)) {
    progress.tell({ _tag: 'Said', text: `--var ${name} is not masked: its value is an ordinary word` })
  }
  const ofPlatform = target.variables ?? new Map<string, string>()
  return [...values, ...maskedVariables(ofPlatform, [...ofPlatform.keys()]).values]
}

/**
 * Dependencies first, in parallel; then the commands, one after the other. Variables they exported are kept in the
 * cluster.
 */
export const runDeploySection =
  (ports: ManifestPorts) =>
  async (given: ManifestRun, signal: AbortSignal): Promise<CommandResults> => {
    const { again, environment, given: vars, kubeconfig, manifest, program, target, shell } = given
    const { namespace } = target
    const reach = defined({ kubeconfig })
    const { dependencies } = manifest
    const depended = await deployDependencies(ports)({ target, dependencies, again, program, shell, ...reach, signal })
    if (hasErrors(depended.findings)) return madeOf([], namespace, depended.findings)
    const { commands } = manifest.deploy
    const variables = { vars, secrets: secretsOf(ports, given, vars), dependencies: depended.given, commands }
    const kept = async ({ created, exported }: CommandsRan): Promise<CommandResults> => {
      const isEmpty = vars.size === 0 && exported.size === 0
      const unsaved = isEmpty ? [] : await saveVariables(target, environment, { given: vars, exported })
      return madeOf(created, namespace, [...depended.findings, ...unsaved])
    }
    const made = pipe(
      run(ports, given, variables, signal),
      TE.matchE(
        ({ created, diagnostic }) => T.of(madeOf(created, namespace, [...depended.findings, diagnostic])),
        (ran) => () => kept(ran),
      ),
    )
    return made()
  }

/** With the variables the environment was deployed with; those given now take precedence. */
export const runDestroySection =
  (ports: ManifestPorts) =>
  async (given: ManifestRun, signal: AbortSignal): Promise<ReadonlyArray<Diagnostic>> => {
    const { environment, manifest, target } = given
    if (manifest.destroy.length === 0) return []
    const kept = await loadVariables(target, environment)()
    if (E.isLeft(kept)) return [failureDiagnostic(kept.left)]
    const { exported, given: before } = kept.right
    const vars = new Map([...before, ...exported, ...given.given])
    const secrets = secretsOf(ports, given, [...before, ...given.given])
    const variables = { vars, secrets, dependencies: [], commands: manifest.destroy }
    const findings = pipe(
      run(ports, given, variables, signal),
      TE.match(
        ({ diagnostic }) => [diagnostic],
        () => [],
      ),
    )
    return findings()
  }
