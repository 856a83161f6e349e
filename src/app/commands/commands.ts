/**
 * Runs the commands of a manifest one after the other. Objects that they create in the namespace belong to the
 * environment, and are reported even when a command failed.
 */

import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { failureDiagnostic } from '../../domain/cluster/failure.ts'
import { readExported } from '../../domain/commands/exported.ts'
import { assemble, assembleRest, type Pending } from '../../domain/commands/lines.ts'
import { mask, secretLines } from '../../domain/commands/mask.ts'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import { defined } from '../../domain/object/defined.ts'
import type { StepState } from '../../domain/progress/event.ts'
import type { Span } from '../../domain/text/source.ts'
import { visible } from '../../domain/text/visible.ts'
import type { Cluster, Created } from '../../ports/cluster.ts'
import type { Scratch, TerminalSize } from '../../ports/commands.ts'
import type { Ports } from '../../ports/ports.ts'
import { withResource } from '../concurrency/resource.ts'
import type { Target } from '../context/target.ts'
import { endedWhile } from './ended.ts'

type CommandToRun = { readonly name: string; readonly command: string; readonly at?: Span }

/**
 * `folder`: where they run. `variables`: their whole environment except KUBECONFIG and DEVTOOL_ENV. `secrets`: values
 * to mask in their output. `terminal`: size of the terminal that commands are given to write to.
 */
export type CommandsToRun = {
  readonly target: Pick<Target, 'context' | 'namespace'> & { readonly cluster: Pick<Cluster, 'labelling'> }
  readonly environment: string
  readonly commands: ReadonlyArray<CommandToRun>
  readonly folder: string
  readonly variables: ReadonlyMap<string, string>
  readonly secrets: ReadonlyArray<string>
  readonly bash: boolean
  readonly terminal?: TerminalSize
  readonly signal: AbortSignal
}

/** `exported`: the variables they wrote to $DEVTOOL_ENV. `created` has each object once. */
export type CommandsRan = {
  readonly created: ReadonlyArray<Created>
  readonly exported: ReadonlyMap<string, string>
  readonly findings: ReadonlyArray<Diagnostic>
}

export type CommandsFailed = CommandsRan & { readonly diagnostic: Diagnostic }

type CommandPorts = Pick<Ports, 'clock' | 'commands' | 'progress'>

/** What all commands of a run share. */
type Run = {
  readonly input: CommandsToRun
  readonly env: ReadonlyMap<string, string>
  readonly scratch: Scratch
  readonly secrets: ReadonlyArray<string>
}

type Exports = Pick<CommandsRan, 'exported' | 'findings'>

const ended = (name: string, at: Span | undefined, signal: AbortSignal): Diagnostic =>
  endedWhile(`command "${name}" ran`, 'what it created stays and belongs to the environment', at, signal)

/** The exit status of a shell whose program was killed by SIGKILL, mostly by the kernel for lack of memory. */
const KILLED = 128 + 9

const failed = (name: string, at: Span | undefined, status: number): Diagnostic =>
  error('DT3501', `command "${name}" exited with status ${status}${status > 128 ? ` (signal ${status - 128})` : ''}`, {
    at,
    help: `${status === KILLED ? 'a program is usually killed because memory ran out; ' : ''}its output is above; the commands after it were not run`,
  })

/** Reports output line by line, as it arrives. */
const outputOf = ({ progress }: CommandPorts, source: string, secrets: ReadonlyArray<string>) => {
  let pending: Pending = ''
  const tell = (lines: ReadonlyArray<string>): void => {
    for (const text of lines) progress.tell({ _tag: 'Output', source, text })
  }
  return {
    push: (piece: string): void => {
      const assembled = assemble(secrets, pending, piece)
      pending = assembled.pending
      tell(assembled.lines)
    },
    end: (): void => tell(assembleRest(secrets, pending)),
  }
}

/** `undefined` when the command succeeded. */
const runOne = async (
  world: CommandPorts,
  { env, input, secrets }: Run,
  { at, command, name }: CommandToRun,
): Promise<Diagnostic | undefined> => {
  const { bash, folder, signal, terminal } = input
  if (signal.aborted) return ended(name, at, signal)
  const output = outputOf(world, name, secrets)
  const line = { _tag: 'Shell', text: command, isBash: bash } as const
  const invocation = { line, folder, env, ...defined({ terminal }) }
  const unstarted = (why: Diagnostic): Diagnostic => {
    const { code, help, message } = why
    return code === 'DT3502' || code === 'DT3503' ? error(code, `command "${name}": ${message}`, { at, help }) : why
  }
  const left = (status: number): Diagnostic | undefined => {
    if (signal.aborted) return ended(name, at, signal)
    return status === 0 ? undefined : failed(name, at, status)
  }
  const ran = await world.commands.run(invocation, output.push, signal)()
  output.end()
  return E.match(unstarted, left)(ran)
}

/** Adds exported variables. Law: a command gets what all commands before it exported. */
const addExports = ({ scratch, secrets }: Run, before: Exports, name: string): Promise<Exports> => {
  const unread = (why: Diagnostic): Exports => ({
    ...before,
    findings: [...before.findings, { ...why, severity: 'warning' }],
  })
  const added = (text: string): Exports => {
    const { findings, values } = readExported(text, name)
    // Commands append to the file, so findings of earlier commands come up again: they are reported once.
    const told = new Set(before.findings.map(({ at }) => `${at?.line}`))
    const fresh = findings.filter(({ at }) => !told.has(`${at?.line}`))
    return {
      exported: new Map([...before.exported, ...values]),
      findings: [...before.findings, ...fresh.map((d) => ({ ...d, message: mask(secrets, d.message) }))],
    }
  }
  const read = pipe(scratch.read(), TE.match(unread, added))
  return read()
}

/** A command without a name goes by the beginning of its text. */
const titleOf = (secrets: ReadonlyArray<string>, name: string): string => {
  const [line = ''] = mask(secrets, name).trim().split('\n')
  const title = visible(line)
  return title.length > 60 ? `${title.slice(0, 59)}…` : title
}

const runAll = async (world: CommandPorts, run: Run): Promise<Exports & { readonly diagnostic?: Diagnostic }> => {
  let exports: Exports = { exported: new Map(), findings: [] }
  for (const [i, command] of run.input.commands.entries()) {
    const name = titleOf(run.secrets, command.name)
    const step = (state: StepState): void =>
      world.progress.tell({ _tag: 'Step', id: `command/${i}`, title: name, state, atMs: world.clock.now() })
    step('Running')
    const env = new Map([...run.env, ...exports.exported])
    const diagnostic = await runOne(world, { ...run, env }, { ...command, name })
    step(diagnostic === undefined ? 'Done' : 'Failed')
    const known = exports.findings.length
    exports = await addExports(run, exports, name)
    for (const found of exports.findings.slice(known)) world.progress.tell({ _tag: 'Found', diagnostic: found })
    if (diagnostic !== undefined) return { ...exports, diagnostic }
  }
  return exports
}

const none: CommandsRan = { created: [], exported: new Map(), findings: [] }

/**
 * Stops at the first command that fails: DT3501, DT3502 and DT3503 when it cannot be started, DT3120 and DT3121 when
 * the signal is aborted. Also fails with DT3504, and with the cluster's failure when it cannot be reached. Findings
 * have been reported already.
 */
export const runCommands =
  (world: CommandPorts) =>
  (input: CommandsToRun): TE.TaskEither<CommandsFailed, CommandsRan> => {
    const { commands, environment, secrets, target, variables } = input
    if (commands.length === 0) return TE.of(none)
    const proxied = (scratch: Scratch) =>
      withResource(
        TE.mapLeft(failureDiagnostic)(
          target.cluster.labelling({ context: target.context, namespace: target.namespace, environment }),
        ),
        ({ created, kubeconfig }) =>
          TE.fromTask(async () => {
            const env = new Map([...variables, ['KUBECONFIG', kubeconfig], ['DEVTOOL_ENV', scratch.path]])
            return { ...(await runAll(world, { input, env, scratch, secrets: secretLines(secrets) })), created }
          }),
        ({ close }) => close,
      )
    return pipe(
      withResource(world.commands.scratch(), proxied, ({ remove }) => remove),
      TE.mapLeft((diagnostic) => ({ ...none, diagnostic })),
      // Read once the proxy is closed, which waits for requests that were in flight when a command died.
      TE.map(({ created, ...exports }) => ({ ...exports, created: created() })),
      TE.flatMap(({ diagnostic, ...ran }) => (diagnostic === undefined ? TE.of(ran) : TE.left({ ...ran, diagnostic }))),
    )
  }
