/**
 * The repositories a manifest depends on: clones and deploys them into the same namespace, in parallel, each with a
 * devtool process of its own. One that is already deployed is left alone; one that is being deployed further up the
 * chain is not deployed again.
 */

import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { forClone } from '../../domain/commands/git-variables.ts'
import type { DependencyVariables as Given } from '../../domain/commands/variables.ts'
import { type Diagnostic, error, remark } from '../../domain/diagnostic/diagnostic.ts'
import type { RepositoryDependency } from '../../domain/manifest/model.ts'
import type { StepState } from '../../domain/progress/event.ts'
import { publicUrl, repositoryIdentity } from '../../domain/text/public-url.ts'
import { placeOf } from '../../domain/text/source.ts'
import { visible } from '../../domain/text/visible.ts'
import type { GitTip } from '../../ports/git.ts'
import type { Ports } from '../../ports/ports.ts'
import { withResource } from '../concurrency/resource.ts'
import type { Target } from '../context/target.ts'
import { loadVariables } from '../environment/variables.ts'
import { endedWhile } from './ended.ts'
import { above, CHAIN, showTip, standingOf } from './standing.ts'

const defaultTimeoutMs = 300_000

type DependencyPorts = Pick<Ports, 'clock' | 'commands' | 'git' | 'progress'>

/** `program`: the argv that starts this devtool. `again`: deploys those that are already deployed as well. */
export type DependenciesToDeploy = {
  readonly target: Target
  readonly dependencies: ReadonlyArray<RepositoryDependency>
  readonly again: boolean
  readonly program: ReadonlyArray<string>
  readonly shell: ReadonlyMap<string, string>
  readonly kubeconfig?: string
  readonly signal: AbortSignal
}

const foreign = ({ at, name, repository }: RepositoryDependency, from: string): Diagnostic =>
  error(
    'DT3153',
    `the environment "${name}" was deployed from ${visible(from)}, not from ${visible(publicUrl(repository))}`,
    { at, help: 'destroy that environment, or deploy into another namespace' },
  )

/** A dependency that is already deployed stays as it is, whatever it came from. */
const leftAs = (from: GitTip, { branch: wanted }: RepositoryDependency): string => {
  const left = `already deployed${showTip(from) === '' ? '' : `, from ${showTip(from)}`}`
  return from.branch === undefined || wanted === undefined || wanted.value === from.branch
    ? left
    : `${left}; --dependencies deploys branch ${visible(wanted.value)}`
}

const argvOf = (
  { kubeconfig, program, target }: DependenciesToDeploy,
  dependency: RepositoryDependency,
): ReadonlyArray<string> => {
  const { file, name, timeoutMs, wait } = dependency
  const ms = timeoutMs?.value ?? defaultTimeoutMs
  return [
    ...program,
    'deploy',
    '--yes',
    ...['--name', name, '--namespace', target.namespace, '--context', target.context],
    ...['--progress', 'plain', '--timeout', `${ms}ms`],
    ...(file === undefined ? [] : ['--file', file.value]),
    ...(kubeconfig === undefined ? [] : ['--kubeconfig', kubeconfig]),
    ...(wait ? ['--wait'] : []),
  ]
}

const deployOne = (
  { commands, git, progress }: DependencyPorts,
  input: DependenciesToDeploy,
  dependency: RepositoryDependency,
): Promise<Diagnostic | undefined> => {
  const { shell, signal } = input
  const { at, branch, name, repository, variables } = dependency
  const chain = `${shell.get(CHAIN) ?? ''}${repositoryIdentity(repository)}\n`
  // Not passed as arguments, which every user of the machine can read.
  const given = variables.map(({ name: key, value = '' }) => [key, value] as const)
  const env = new Map([...forClone(shell), ...given, [CHAIN, chain]])
  const line = { _tag: 'Program', argv: argvOf(input, dependency) } as const
  const tell = (text: string): void => progress.tell({ _tag: 'Output', source: name, text: text.trimEnd() })
  const failedWith = (status: number): Diagnostic | undefined =>
    status === 0
      ? undefined
      : error('DT3151', `the dependency "${name}" could not be deployed (exit status ${status})`, {
          at,
          help: 'its output is above',
        })
  const ran = pipe(
    withResource(
      TE.mapLeft((found: Diagnostic) => ({ ...found, at: placeOf(at) }))(git.clone(repository, branch?.value, signal)),
      ({ folder }) => commands.run({ line, folder, env }, tell, signal),
      ({ remove }) => remove,
    ),
    TE.match((why): Diagnostic | undefined => why, failedWith),
  )
  const left = 'what it deployed stays: the next run goes on'
  return ran().then((found) =>
    found !== undefined && signal.aborted
      ? endedWhile(`the dependency "${name}" was deployed`, left, at, signal)
      : found,
  )
}

type Deployed = { readonly findings: ReadonlyArray<Diagnostic>; readonly given: ReadonlyArray<Given> }

const givenBy = async (target: Target, { name }: RepositoryDependency): Promise<Given> => {
  const kept = await loadVariables(target, name)()
  return { name, variables: E.isRight(kept) ? kept.right.exported : new Map(), builds: [] }
}

const notAgain = ({ at, name }: RepositoryDependency): Diagnostic =>
  remark(
    'DT3152',
    `the dependency "${name}" depends on this repository in turn and is already being deployed, so it is not deployed again`,
    { at },
  )

/**
 * Finds DT3150 and DT3151 for all that failed; a cycle is only a note. The variables of an environment count only if it
 * is that of the dependency's repository.
 */
export const deployDependencies =
  (world: DependencyPorts) =>
  async (input: DependenciesToDeploy): Promise<Deployed> => {
    const { clock, progress } = world
    const { again, dependencies, target, shell } = input
    const isAbove = above(shell)
    const run = async (dependency: RepositoryDependency): Promise<Deployed> => {
      const { at, name, repository } = dependency
      const step = (state: StepState, detail: string): void =>
        progress.tell({ _tag: 'Step', id: `dependency/${name}`, title: name, state, detail, atMs: clock.now() })
      const looked = await standingOf(target, dependency)()
      if (E.isLeft(looked)) return { findings: [{ ...looked.left, at: placeOf(at) }], given: [] }
      const standing = looked.right
      if (standing._tag === 'Foreign') return { findings: [foreign(dependency, standing.from)], given: [] }
      const deploy = async (): Promise<ReadonlyArray<Diagnostic>> => {
        if (isAbove(dependency)) return [notAgain(dependency)]
        if (!again && standing._tag === 'Deployed') {
          step('Done', leftAs(standing.from, dependency))
          return []
        }
        step('Running', `cloning and deploying ${publicUrl(repository)}`)
        const found = await deployOne(world, input, dependency)
        step(found === undefined ? 'Done' : 'Failed', found === undefined ? 'deployed' : found.message)
        return found === undefined ? [] : [found]
      }
      const findings = await deploy()
      return { findings, given: [await givenBy(target, dependency)] }
    }
    const deployed = await Promise.all(dependencies.map(run))
    return {
      findings: deployed.flatMap(({ findings }) => findings),
      given: deployed.flatMap(({ given }) => given),
    }
  }
