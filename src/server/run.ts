/**
 * The container of a run with the permissions of a member: runs the `devtool` command, and updates the record of the
 * run.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { systemClock } from '../adapters/system/clock.ts'
import { answered } from '../app/platform/controller/acting.ts'
import { type Recording, type RunEnding, recording } from '../app/platform/runner/recording.ts'
import { type RunValues, valuesOf } from '../app/platform/runner/values.ts'
import { resources } from '../domain/cluster/resources.ts'
import { type Diagnostic, error } from '../domain/diagnostic/diagnostic.ts'
import { type RecordedCommand, readRecord, recordName } from '../domain/environment/record.ts'
import { fromJson } from '../domain/object/codecs.ts'
import { defined } from '../domain/object/defined.ts'
import {
  BUILDER_ADDRESS_FILE,
  BUILDER_FOLDER,
  BUILDER_HOST_FILE,
  builderVariables,
  REGISTRY_FILE,
  REGISTRY_FOLDER,
  REGISTRY_VARIABLE,
  VARIABLES_FILE_VARIABLE,
  variableIn,
} from '../domain/platform/run/build-access.ts'
import { CLONE_FILE, CloneOutcome, cloneRefusal, SOURCE_FOLDER } from '../domain/platform/run/clone.ts'
import { commandOf, manifestOf } from '../domain/platform/run/command.ts'
import { failureAfter, isLeftOut, logTexts, textsOf } from '../domain/platform/run/output.ts'
import { hasEnded, type RunRecord, runIn, runName } from '../domain/platform/run/record.ts'
import { RUN_MEMORY, VALUES_FOLDER, VALUES_KEY, WORK_FOLDER } from '../domain/platform/run/request.ts'
import { timedOut } from '../domain/platform/run/step.ts'
import type { Cluster } from '../ports/cluster.ts'
import { spawned } from './spawned.ts'

const CLI = '/app/devtool.cjs'
const VARIABLES = join(WORK_FOLDER, 'variables.json')
const HOME = join(WORK_FOLDER, 'home')
const LOGINS = join(WORK_FOLDER, 'docker')
const TIMED_OUT = 6

const read = (file: string): string | undefined => (existsSync(file) ? readFileSync(file, 'utf8') : undefined)

const cloneOutcome = (): CloneOutcome =>
  fromJson(CloneOutcome, read(CLONE_FILE) ?? '') ?? { lines: [], failure: error('DT6401', 'nothing was cloned') }

const unknownRecord = (why: string): Diagnostic =>
  error('DT6401', `the destroy commands are not known: ${why}`, { help: 'start it again' })

/** The commands in the environment's record; none if there is no environment any more. */
const recordedCommands =
  (
    cluster: Cluster,
    { environment, namespace }: RunRecord,
  ): TE.TaskEither<Diagnostic, ReadonlyArray<RecordedCommand>> =>
  async () => {
    const key = { resource: resources.ConfigMap, namespace, name: recordName(environment) }
    const found = await answered(cluster.get(key))
    if (found === undefined) return E.left(unknownRecord('the record of the environment cannot be read'))
    if (found.value === undefined) return E.right([])
    return pipe(
      readRecord(found.value),
      E.bimap(
        ({ message }) => unknownRecord(message),
        ({ destroyCommands = [] }) => destroyCommands,
      ),
    )
  }

/** Replaces what was cloned by a manifest with these commands alone. */
const writeManifest = (commands: ReadonlyArray<RecordedCommand>): void => {
  rmSync(SOURCE_FOLDER, { recursive: true, force: true })
  mkdirSync(SOURCE_FOLDER, { recursive: true })
  // JSON is YAML.
  writeFileSync(join(SOURCE_FOLDER, 'devtool.yml'), JSON.stringify(manifestOf(commands)))
}

/** Of this container, in both versions of control groups. */
const memoryFiles = ['/sys/fs/cgroup/memory.events', '/sys/fs/cgroup/memory/memory.oom_control']

/** Some clusters end all programs of a container whose memory runs out, others only one of them, as the kernel notes. */
const isOutOfMemory = (): boolean => memoryFiles.some((file) => /^oom_kill [1-9]/m.test(read(file) ?? ''))

type Runner = { readonly cluster: Cluster; readonly env: NodeJS.ProcessEnv; readonly stopped: Promise<void> }

const command = (run: RunRecord, { given, platform }: RunValues, env: NodeJS.ProcessEnv): ReadonlyArray<string> => {
  writeFileSync(VARIABLES, JSON.stringify(Object.fromEntries(platform)))
  // A flag would take precedence over variables of the namespace.
  const unlessSet = (name: string): string => (variableIn([given, platform], name) === '' ? (env[name] ?? '') : '')
  const settings = { domain: unlessSet('DEVTOOL_DOMAIN'), registry: unlessSet('DEVTOOL_REGISTRY') }
  return [process.execPath, CLI, ...commandOf(run, settings, given)]
}

/** The build service, when the platform has one. */
const buildService = (): Parameters<typeof builderVariables>[1] => {
  const [address, host] = [BUILDER_ADDRESS_FILE, BUILDER_HOST_FILE].map((file) => read(join(BUILDER_FOLDER, file)))
  return address === undefined || host === undefined ? undefined : { address, host }
}

/** The folder of the Docker configuration with logins to registries, if there are any. */
const loginFolder = (variables: Parameters<typeof variableIn>[0]): string | undefined => {
  const config = variableIn(variables, REGISTRY_VARIABLE)
  if (config === '') return existsSync(join(REGISTRY_FOLDER, REGISTRY_FILE)) ? REGISTRY_FOLDER : undefined
  mkdirSync(LOGINS, { recursive: true })
  writeFileSync(join(LOGINS, REGISTRY_FILE), config)
  return LOGINS
}

const shellOf = (
  { KUBERNETES_SERVICE_HOST, KUBERNETES_SERVICE_PORT, PATH }: NodeJS.ProcessEnv,
  { given, platform }: RunValues,
): NodeJS.ProcessEnv => ({
  ...defined({ KUBERNETES_SERVICE_HOST, KUBERNETES_SERVICE_PORT, PATH }),
  HOME,
  CI: 'true',
  [VARIABLES_FILE_VARIABLE]: VARIABLES,
  GIT_TERMINAL_PROMPT: '0',
  ...builderVariables([given, platform], buildService()),
  ...defined({ DOCKER_CONFIG: loginFolder([given, platform]) }),
})

const carryOut = async (
  { cluster, env, stopped }: Runner,
  record: Recording,
  isCloned: boolean,
  spentSeconds: number,
): Promise<RunEnding> => {
  const { file, ...known } = record.run()
  const run = isCloned ? { ...known, ...defined({ file }) } : known
  const values = await valuesOf(cluster, run.namespace, read(join(VALUES_FOLDER, VALUES_KEY)))
  mkdirSync(HOME, { recursive: true })
  let failure: Diagnostic | undefined
  let [isLate, isStopped] = [false, false]
  const who = run.who.email === '' ? 'the platform' : run.who.email
  const shell = { ...shellOf(env, values), DEVTOOL_WHO: who, DEVTOOL_RECORDED_COMMANDS: String(!isCloned) }
  const child = spawned(command(run, values, env), { cwd: SOURCE_FOLDER, env: shell }, (line) => {
    failure = failureAfter(failure, line)
    textsOf(line).forEach(record.say)
  })
  const late = setTimeout(
    () => {
      isLate = true
      child.stop()
    },
    Math.max(0, run.timeoutSeconds - spentSeconds) * 1000,
  )
  const stopWith = async (): Promise<void> => {
    await stopped
    isStopped = true
    child.stop()
  }
  void stopWith()
  const exitStatus = await child.ended
  clearTimeout(late)
  if (exitStatus === 0 && isLeftOut(run, failure)) return { status: 'failed', exitStatus: 1, ...defined({ failure }) }
  if (exitStatus === 0) return { status: 'succeeded', exitStatus }
  if (isOutOfMemory()) record.say(`a program was killed: the run exceeded its memory limit of ${RUN_MEMORY}`)
  if (isStopped && (await record.isCancelled())) return { status: 'cancelled', exitStatus }
  if (isLate || exitStatus === TIMED_OUT) {
    return { status: 'timed-out', exitStatus: TIMED_OUT, failure: isLate ? timedOut(run) : (failure ?? timedOut(run)) }
  }
  const broken = error('DT6401', 'the run ended without a result: its pod was ended', { help: 'start it again' })
  return { status: 'failed', exitStatus, failure: isStopped ? broken : (failure ?? broken) }
}

/** `failure`: why there are no files of the repository. */
const cloned = (record: Recording, repository: string): Pick<CloneOutcome, 'failure' | 'seconds'> => {
  const refusal = cloneRefusal({ repository })
  // No clone was attempted, so there is nothing to report.
  if (refusal !== undefined) return { failure: refusal }
  const { branch, commit, lines, ...outcome } = cloneOutcome()
  const what = branch === undefined ? repository : `${repository}, branch ${branch},`
  record.say(commit === undefined ? `cloned ${repository}: failed` : `cloned ${what} at ${commit}`)
  lines.flatMap(logTexts).forEach(record.say)
  record.change(defined({ branch, commit }))
  return outcome
}

/** The branch may be gone, or have other files than the last deploy: what that recorded is known without it. */
const destroyedFromRecord = async (runner: Runner, record: Recording, spentSeconds: number): Promise<RunEnding> => {
  const commands = await recordedCommands(runner.cluster, record.run())()
  if (E.isLeft(commands)) return { status: 'failed', exitStatus: 1, failure: commands.left }
  writeManifest(commands.right)
  return carryOut(runner, record, false, spentSeconds)
}

const ended = async (runner: Runner, record: Recording): Promise<RunEnding> => {
  const { action, repository } = record.run()
  const { failure, seconds = 0 } = repository === undefined ? {} : cloned(record, repository)
  if (failure !== undefined && action !== 'destroy') return { status: 'failed', exitStatus: 5, failure }
  if (repository !== undefined && failure === undefined) {
    const ending = await carryOut(runner, record, true, seconds)
    if (!isLeftOut(record.run(), ending.failure)) return ending
  }
  const why = failure === undefined ? '' : `${failure.message}; `
  if (repository !== undefined) record.say(`${why}the destroy commands of the last deploy are run instead`)
  return destroyedFromRecord(runner, record, seconds)
}

/** Returns the exit status of the command, so that the Job shows it as well. */
export const runOnce = async (runner: Runner): Promise<number> => {
  const { cluster, env } = runner
  const [id = '', namespace = ''] = [env['DEVTOOL_RUN'], env['DEVTOOL_RUN_NAMESPACE']]
  const found = await answered(cluster.get({ resource: resources.ConfigMap, namespace, name: runName(id) }))
  const run = found?.value === undefined ? undefined : runIn(found.value)
  if (found?.value === undefined || run === undefined || hasEnded(run)) return 1
  const print = (line: string): void => void process.stdout.write(`${line}\n`)
  const record = recording({ cluster, clock: systemClock, print }, found.value, run)
  record.change({ status: 'running', started: systemClock.date() })
  const ending = await ended(runner, record)
  if (ending.failure?.code.startsWith('DT64') === true)
    record.say(`error ${ending.failure.code}: ${ending.failure.message}`)
  const isWritten = await record.end(ending)
  return isWritten ? (ending.exitStatus ?? 1) : 1
}
