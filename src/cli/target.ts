/** From flags to a cluster, and to an environment in it. */

import type { ManifestRun } from '../app/commands/manifest-commands.ts'
import { deadline } from '../app/concurrency/deadline.ts'
import type { Meant } from '../app/context/connect.ts'
import type { Target, TargetOptions } from '../app/context/target.ts'
import { kubeContextOf } from '../domain/context/store.ts'
import { defined } from '../domain/object/defined.ts'
import type { Ports } from '../ports/ports.ts'
import { type CommandCall, checked } from './command.ts'
import { cutOff, inTime, readingMs } from './ended.ts'
import { type clusterFlags, reachOf } from './flags/cluster.ts'
import type { Values } from './flags/flag.ts'
import type { ProgressForm } from './flags/output.ts'
import { type namingFlags, wantedOf } from './flags/project.ts'
import type { Outcome } from './outcome.ts'
import { projectOf } from './project.ts'

/** What a use case gets: `signal` is aborted on Ctrl-C and at the timeout, and the use case has to end then. */
export type Connected = { readonly target: Target; readonly ports: Ports; readonly signal: AbortSignal }

export type TargetChoice = {
  readonly reach: TargetOptions
  readonly use: Meant['use']
  /** Whether the command would change anything at all. */
  readonly isSound?: (ports: Ports) => NonNullable<Meant['isSound']>
  readonly form?: ProgressForm
  readonly timeoutMs?: number
  readonly reading?: Reading
  /** The namespace shown to the user, instead of that of the connection. */
  readonly shownAs?: string
  /** The command reads a project, which may use variables of the platform. */
  readonly hasProject?: boolean
  /** A namespace that sleeps is woken, once it is sure that something is to run in it. */
  readonly wakes?: boolean
}

/** Set for commands that only read: they end as soon as the signal is aborted. `timeout`: that of the flag. */
type Reading = { readonly timeout: number | undefined }

/** The outcome of `work`, or of the abort if that comes first. */
const unlessEnded = (
  { abandoned }: CommandCall,
  work: Promise<Outcome>,
  signal: AbortSignal,
  { timeout }: Reading,
): Promise<Outcome> =>
  Promise.race([
    work,
    new Promise<Outcome>((resolve) => {
      const end = (): void => {
        abandoned?.()
        resolve(cutOff(signal, timeout !== undefined))
      }
      if (signal.aborted) end()
      else signal.addEventListener('abort', end, { once: true })
    }),
  ])

const keptAwake =
  (ports: Ports, target: Target): Required<Target>['keptAwake'] =>
  (signal) =>
  async () => {
    const { keptAwake: keep } = await import('../app/sleep/asleep.ts')
    return keep({ ports, target, signal })()
  }

/** Prints which cluster is used before `run` begins, and closes it at the end. */
export const inTarget = async (
  call: CommandCall,
  {
    form = 'auto',
    hasProject = false,
    isSound,
    reach,
    reading,
    shownAs,
    timeoutMs = reading && (reading.timeout ?? readingMs),
    use,
    wakes = false,
  }: TargetChoice,
  run: (connected: Connected) => Promise<Outcome>,
): Promise<Outcome> => {
  const ports = await call.ports(form)
  const interrupted = call.interruption()
  const ends = timeoutMs === undefined ? undefined : deadline(ports.clock, timeoutMs, interrupted)
  const signal = ends?.signal ?? interrupted
  const tellLeaving = (): void =>
    ports.progress.tell({ _tag: 'Said', text: 'interrupted: finishing what was begun; Ctrl-C again ends at once' })
  if (use !== 'Read') interrupted.addEventListener('abort', tellLeaving, { once: true })
  const { connect } = await import('../app/context/connect.ts')
  const work = async (): Promise<Outcome> => {
    const meant = { use, ...(isSound && { isSound: isSound(ports) }) }
    const connected = await connect(ports)(reach, meant, call.env, signal)()
    if (connected._tag === 'Left') return { findings: connected.left }
    const { right } = connected
    const located: Target = wakes ? { ...right, keptAwake: keptAwake(ports, right) } : right
    const { context, findings, isCurrent, isNamed, namespace, platform } = located
    call.reached(isCurrent === false ? (platform === undefined ? context : kubeContextOf(context)) : undefined)
    await call.show({ findings, said: isNamed ? [] : [`using ${context}, namespace ${shownAs ?? namespace}`] })
    const close = (): void => located.cluster.close()
    if (reading !== undefined) signal.addEventListener('abort', close, { once: true })
    try {
      const mounted = call.env['DEVTOOL_VARIABLES_FILE'] ?? ''
      const hasVariables = hasProject && (platform !== undefined || mounted !== '')
      if (!hasVariables) return await run({ target: located, ports, signal })
      const { deployVariables, mountedVariables } = await import('../app/namespaces/deploy-variables.ts')
      const asked = platform && deployVariables(ports)(platform, namespace, signal)
      const read = await (asked ?? mountedVariables(ports, mounted))()
      if (read._tag === 'Left') return { findings: [read.left] }
      return await run({ target: { ...located, variables: read.right }, ports, signal })
    } finally {
      close()
    }
  }
  try {
    return await (reading === undefined ? inTime(signal, await work()) : unlessEnded(call, work(), signal, reading))
  } finally {
    interrupted.removeEventListener('abort', tellLeaving)
    ends?.clear()
    ports.progress.end()
  }
}

/** Adds other namespaces with an environment that does not exist here. */
export const toldElsewhere = async (
  { signal, target }: Pick<Connected, 'signal' | 'target'>,
  environment: string,
  outcome: Outcome,
): Promise<Outcome> => {
  if (!outcome.findings.some(({ code }) => code === 'DT3407')) return outcome
  const { sayElsewhere } = await import('../app/environment/elsewhere.ts')
  return { ...outcome, findings: await sayElsewhere(target, environment, outcome.findings, signal) }
}

/** Opens one environment: finds its name, which needs no cluster, then connects to the cluster. */
export const inEnvironment = (
  call: CommandCall,
  given: Values<typeof namingFlags & typeof clusterFlags>,
  run: (seen: Connected & { readonly environment: string }) => Promise<Outcome>,
  reading?: Reading,
): Promise<Outcome> =>
  checked(wantedOf(call, given), async (wanted) => {
    const project = await projectOf(call, await call.ports(), wanted)
    const named = await project.name()
    const { findings, name } = named
    if (name === undefined) return { findings, line: project.line }
    const choice = { reach: reachOf(given), use: 'Read', ...defined({ reading }) } as const
    const { foreignProject, gitFindings } = await import('../app/environment/claim.ts')
    const sayForeign = async ({ ports, signal, target }: Connected): Promise<void> => {
      const text = await foreignProject(ports)(target, wanted, named, signal)
      if (text === undefined) return
      const refused = await gitFindings(ports, wanted.cwd, named.chosen ?? named)
      await call.show({ findings: refused, said: [text] })
    }
    const outcome = await inTarget(call, choice, async (connected) => {
      const [done] = await Promise.all([run({ ...connected, environment: name }), sayForeign(connected)])
      return toldElsewhere(connected, name, done)
    })
    return { ...outcome, findings: [...findings, ...outcome.findings] }
  })

/** The name of the environment according to the project's files or the flags; `undefined` when they are invalid. */
export const environmentName = async (
  call: CommandCall,
  given: Values<typeof namingFlags & typeof clusterFlags>,
): Promise<string | undefined> => {
  const wanted = wantedOf(call, given)
  if (wanted._tag === 'Left') return undefined
  const project = await projectOf(call, await call.ports(), wanted.right)
  return (await project.name()).name
}

/** How commands of a manifest are run. */
export const commandWorld = (
  { isTerminal, program, terminalSize }: CommandCall,
  { kubeconfig, mask }: { readonly kubeconfig: string | undefined; readonly mask: ReadonlyArray<string> },
): Pick<ManifestRun, 'program' | 'kubeconfig' | 'masks' | 'terminal'> => ({
  program,
  masks: mask,
  ...defined({ kubeconfig }),
  ...(isTerminal.stdout ? { terminal: terminalSize() } : {}),
})
