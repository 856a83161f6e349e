/** Hybrid mode: the command runs on this machine, with the variables of the container. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { failureDiagnostic } from '../../domain/cluster/failure.ts'
import { resources } from '../../domain/cluster/resources.ts'
import { environmentIn, environmentSubsystem, hybridEnvironment, withContainerPorts } from '../../domain/dev/hybrid.ts'
import type { DevRecord } from '../../domain/dev/record.ts'
import type { EnvironmentValue } from '../../domain/dev/request.ts'
import type { SessionEnd } from '../../domain/dev/session.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import type { DevContainer } from '../../domain/manifest/dev-model.ts'
import { pathWritten } from '../../domain/text/path.ts'
import type { LinkedProgram, LinkFailure } from '../../ports/link.ts'
import type { Ports } from '../../ports/ports.ts'
import type { Program } from '../../ports/processes.ts'
import type { Target } from '../context/target.ts'
import { connectPipes } from './pipes.ts'
import type { DevProgram, ProgramFailure } from './program-failure.ts'
import type { DevSession } from './session.ts'

type HybridPorts = Pick<Ports, 'console' | 'processes'>

/** `shell`: the variables of this machine. `isTyped`: whether input comes from a terminal. */
type HybridRun = {
  readonly session: DevSession
  readonly dev: DevContainer
  readonly program: DevProgram
  readonly shell: ReadonlyMap<string, string>
  readonly environment: ReadonlyArray<EnvironmentValue>
  readonly isTyped: boolean
  readonly signal: AbortSignal
}

/** Where the command runs: `workdir`, from the folder of the manifest. */
export const hybridFolder = ({ at, workdir }: DevContainer): string => pathWritten(at, workdir?.value ?? '.')

/** Connections to the container reach this machine. */
export const withReverses = (
  { cluster, namespace }: Target,
  { container, mirror }: DevRecord,
  dev: DevContainer,
  signal: AbortSignal,
): TE.TaskEither<Diagnostic, DevContainer> =>
  dev.mode === 'sync'
    ? TE.of(dev)
    : pipe(
        cluster.get({ resource: resources.Deployment, namespace, name: mirror }, signal),
        TE.mapBoth(failureDiagnostic, (live) => (live === undefined ? dev : withContainerPorts(dev, container, live))),
      )

/** A container's variables are never larger, and a pod may send anything. */
const mostBytes = 4 * 1024 * 1024

const unreadable: ProgramFailure = { _tag: 'Refused', reason: 'the variables of the container cannot be read' }

const textOf = (stream: LinkedProgram['stdout']): Promise<string> =>
  new Promise((resolve) => {
    const chunks: Array<Buffer> = []
    let size = 0
    stream.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > mostBytes) stream.destroy()
      else chunks.push(chunk)
    })
    for (const event of ['end', 'close']) stream.once(event, () => resolve(Buffer.concat(chunks).toString()))
  })

const variablesOf = (session: DevSession): TE.TaskEither<ProgramFailure, Readonly<Record<string, string>>> =>
  pipe(
    session.link('terminal'),
    TE.mapLeft(({ reason }): ProgramFailure => ({ _tag: 'Over', reason })),
    TE.flatMap(({ link }) => link.subsystem(environmentSubsystem)),
    TE.flatMap((stream) => TE.fromTask(() => textOf(stream))),
    TE.flatMapEither((text) => E.fromNullable(unreadable)(environmentIn(text))),
  )

const wordsOf = ({ command }: DevProgram, shell: string): ReadonlyArray<string> => {
  if (command === undefined) return [shell]
  return typeof command === 'string' ? ['sh', '-c', command] : command
}

/** The command ends when the session ends first. */
const runHere = (
  { console, processes }: HybridPorts,
  { isTyped }: HybridRun,
  program: Program,
  signal: AbortSignal,
): TE.TaskEither<Diagnostic | ProgramFailure, number> => {
  if (isTyped && console.terminal() !== undefined) return processes.attach(program, signal)
  return pipe(
    processes.spawn(program, signal),
    TE.flatMap(({ exit, kill, ...streams }) => {
      const piped = { ...streams, signal: () => kill('SIGTERM'), exit: TE.rightTask<LinkFailure, number>(exit) }
      return connectPipes(console, piped, isTyped)
    }),
  )
}

/** Fails like a command in the container, or with DT3503. */
export const runHybrid =
  (ports: HybridPorts) =>
  (run: HybridRun): TE.TaskEither<Diagnostic | ProgramFailure, number> => {
    const { dev, environment, program, session, shell, signal } = run
    const over = new AbortController()
    return pipe(
      variablesOf(session),
      TE.flatMap(
        (there): TE.TaskEither<Diagnostic | ProgramFailure, number> =>
          async () => {
            const argv = wordsOf(program, shell.get('SHELL') ?? 'sh')
            const env = hybridEnvironment(shell, there, environment)
            const started = { argv, folder: hybridFolder(dev), env }
            let isEnded = false
            const end = ({ reason }: SessionEnd): void => {
              isEnded = true
              over.abort(reason)
            }
            void session.ended.then(end)
            const ended = await runHere(ports, run, started, AbortSignal.any([signal, over.signal]))()
            return isEnded && !signal.aborted ? E.left({ _tag: 'Over', reason: String(over.signal.reason) }) : ended
          },
      ),
    )
  }
