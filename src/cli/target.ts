/** From flags to a cluster, and to an environment in it. */

import type { ManifestRun } from '../app/commands/manifest-commands.ts'
import { deadline, isTimeout } from '../app/concurrency/deadline.ts'
import type { Use } from '../app/context/connect.ts'
import type { Target, TargetOptions } from '../app/context/target.ts'
import { error } from '../domain/diagnostic/diagnostic.ts'
import { defined } from '../domain/object/defined.ts'
import type { Ports } from '../ports/ports.ts'
import { type CommandCall, checked } from './command.ts'
import { type clusterFlags, reachOf } from './flags/cluster.ts'
import type { Values } from './flags/flag.ts'
import type { ProgressForm } from './flags/output.ts'
import { type namingFlags, wantedOf } from './flags/project.ts'
import type { Outcome } from './outcome.ts'
import { projectOf } from './project.ts'

/** What a use case gets: `signal` is aborted on Ctrl-C and at the timeout, and the use case has to end then. */
export type Connected = { readonly target: Target; readonly ports: Ports; readonly signal: AbortSignal }

const outOfTime = error('DT3120', 'timed out before the API server responded', { help: 'use --timeout to wait longer' })

type TargetChoice = {
  readonly reach: TargetOptions
  readonly use: Use
  readonly form?: ProgressForm
  readonly timeoutMs?: number
}

/** Prints which cluster is used before `run` begins, and closes it at the end. */
export const inTarget = async (
  call: CommandCall,
  { form = 'auto', reach, timeoutMs, use }: TargetChoice,
  run: (connected: Connected) => Promise<Outcome>,
): Promise<Outcome> => {
  const ports = await call.ports(form)
  const interrupted = call.interruption()
  const ends = timeoutMs === undefined ? undefined : deadline(ports.clock, timeoutMs, interrupted)
  const signal = ends?.signal ?? interrupted
  const tellLeaving = (): void =>
    ports.progress.tell({ _tag: 'Said', text: 'interrupted: finishing what was begun; Ctrl-C again ends at once' })
  if (use === 'Change') interrupted.addEventListener('abort', tellLeaving, { once: true })
  const { connect } = await import('../app/context/connect.ts')
  const connected = await connect(ports)(reach, use, call.env, signal)()
  if (connected._tag === 'Left') {
    ends?.clear()
    return { findings: isTimeout(signal) ? [outOfTime] : connected.left }
  }
  const target = connected.right
  const { context, findings, isNamed, namespace } = target
  await call.show({ findings, said: isNamed ? [] : [`using ${context}, namespace ${namespace}`] })
  try {
    return await run({ target, ports, signal })
  } finally {
    interrupted.removeEventListener('abort', tellLeaving)
    ends?.clear()
    ports.progress.end()
    target.cluster.close()
  }
}

/** Opens one environment: finds its name, which needs no cluster, then connects to the cluster. */
export const inEnvironment = (
  call: CommandCall,
  given: Values<typeof namingFlags & typeof clusterFlags>,
  run: (seen: Connected & { readonly environment: string }) => Promise<Outcome>,
): Promise<Outcome> =>
  checked(wantedOf(call, given), async (wanted) => {
    const project = await projectOf(call, await call.ports(), wanted)
    const named = await project.name()
    const { findings, name } = named
    if (name === undefined) return { findings, line: project.line }
    const choice = { reach: reachOf(given), use: 'Read' } as const
    const { foreignProject, gitFindings } = await import('../app/environment/claim.ts')
    const sayForeign = async ({ ports, signal, target }: Connected): Promise<void> => {
      const text = await foreignProject(ports)(target, wanted, named, signal)
      if (text === undefined) return
      const refused = await gitFindings(ports, wanted.cwd, named.chosen ?? named)
      await call.show({ findings: refused, said: [text] })
    }
    const outcome = await inTarget(call, choice, async (connected) => {
      const [done] = await Promise.all([run({ ...connected, environment: name }), sayForeign(connected)])
      return done
    })
    return { ...outcome, findings: [...findings, ...outcome.findings] }
  })

/** How commands of a manifest are run. */
export const commandWorld = (
  { isTerminal, program, terminalSize }: CommandCall,
  { kubeconfig }: { readonly kubeconfig: string | undefined },
): Pick<ManifestRun, 'program' | 'kubeconfig' | 'terminal'> => ({
  program,
  ...defined({ kubeconfig }),
  ...(isTerminal.stdout ? { terminal: terminalSize() } : {}),
})
