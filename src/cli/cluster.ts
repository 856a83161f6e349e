/** The flags of every command that asks or changes a cluster, and the way to it. */
import { Option } from 'clipanion'
import type { ManifestRun } from '../app/commands/manifest-commands.ts'
import { deadline, isTimeout } from '../app/concurrency/deadline.ts'
import type { Use } from '../app/context/connect.ts'
import type { Reach, Session } from '../app/context/target.ts'
import type { Outcome } from '../app/output/outcome.ts'
import { error } from '../domain/diagnostic/diagnostic.ts'
import type { TerminalSize } from '../ports/commands.ts'
import type { Ports } from '../ports/ports.ts'
import type { ProgressForm } from './context.ts'
import { ProjectCommand } from './project.ts'
import { show } from './show.ts'

/** What a use case gets: `signal` comes with Ctrl-C or when time runs out, and whoever was given it ends in order. */
export type Connected = { readonly session: Session; readonly ports: Ports; readonly signal: AbortSignal }

const outOfTime = error('DT3120', 'time ran out before the API server answered', { help: '--timeout gives more time' })

const sizeOf = (stream: object): TerminalSize => {
  const numberIn = (name: string, otherwise: number): number => {
    const value: unknown = Reflect.get(stream, name)
    return typeof value === 'number' && value > 0 ? value : otherwise
  }
  return { columns: numberIn('columns', 80), rows: numberIn('rows', 24) }
}

export abstract class EnvironmentCommand extends ProjectCommand {
  override namespace = Option.String('-n,--namespace', { description: 'namespace; default: that of the context' })
  contextName = Option.String('--context', {
    description: 'context; default: `devtool context use`, or the kubeconfig',
  })
  kubeconfig = Option.String('--kubeconfig', { description: 'kubeconfig, in place of those of KUBECONFIG' })
  yes = Option.Boolean('--yes', false, { description: 'answer yes to every question' })

  reach(): Reach {
    const { contextName, kubeconfig, namespace, yes } = this
    return {
      ...(contextName === undefined ? {} : { context: contextName }),
      ...(namespace === undefined ? {} : { namespace }),
      ...(kubeconfig === undefined ? {} : { kubeconfig }),
      isYes: yes,
    }
  }

  /** What commands of a manifest are run with. */
  protected commandWorld(): Pick<ManifestRun, 'program' | 'kubeconfig' | 'terminal'> {
    const { isTerminal, program, stdout } = this.context
    return {
      program,
      ...(this.kubeconfig === undefined ? {} : { kubeconfig: this.kubeconfig }),
      ...(isTerminal.stdout ? { terminal: sizeOf(stdout) } : {}),
    }
  }

  /** Says which cluster is used before `run` begins, and closes it at the end. */
  protected async inSession(
    use: Use,
    run: (connected: Connected) => Promise<Outcome>,
    { form = 'auto', timeoutMs }: { readonly form?: ProgressForm; readonly timeoutMs?: number } = {},
  ): Promise<Outcome> {
    const { env } = this.context
    const ports = await this.context.ports(form)
    const interrupted = this.context.interruption()
    const ends = timeoutMs === undefined ? undefined : deadline(ports.clock, timeoutMs, interrupted)
    const signal = ends?.signal ?? interrupted
    const { connect } = await import('../app/context/connect.ts')
    const connected = await connect(ports)(this.reach(), use, env, signal)
    if (connected._tag === 'Left') {
      ends?.clear()
      return { findings: isTimeout(signal) ? [outOfTime] : connected.left }
    }
    const session = connected.right
    const manner = { isJson: this.isJson(), isQuiet: this.isQuiet(), level: this.loglevel }
    await show(this.context, { findings: session.findings, said: session.said }, manner)
    try {
      return await run({ session, ports, signal })
    } finally {
      ends?.clear()
      ports.progress.end()
      session.cluster.close()
    }
  }
}
