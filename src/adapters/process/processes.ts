/** The port `Processes` on this machine: programs with pipes in process groups of their own, or with our streams. */
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Processes, Program } from '../../ports/processes.ts'
import { statusOf } from './child.ts'
import { overseeTree } from './descendants.ts'
import { overseeGroup, signalGroup } from './interrupt.ts'
import { exitOf } from './pipes.ts'
import { findProgram, isFolder } from './programs.ts'

/** `lend`: leaves Ctrl-C to another program, until the returned function is called. */
type ProcessesWorld = { readonly clock: Pick<Clock, 'after'>; readonly lend: () => () => void }

const notStarted = (reason: string): E.Either<Diagnostic, never> =>
  E.left(error('DT3503', `it cannot be started: ${reason}`))

type Started<C> = { readonly child: C; readonly pid: number; readonly exit: Promise<number> }

const begin =
  <C extends ChildProcess>({ argv, env, folder }: Program, start: StartChild<C>): TaskEither<Diagnostic, Started<C>> =>
  async () => {
    const [name = '', ...args] = argv
    if (!(await isFolder(folder))) return E.left(error('DT3503', `the folder ${folder} does not exist`))
    const file = await findProgram(name, env, folder)
    if (file === undefined) {
      return E.left(error('DT3503', `the program ${name} does not exist`, { help: 'check its name, and the PATH' }))
    }
    const child = start(file, args, { cwd: folder, env: Object.fromEntries(env), windowsHide: true })
    const exit = new Promise<number>((resolve) => {
      child.once('exit', (code, ended) => resolve(statusOf(exitOf(code, ended))))
    })
    const failure = await new Promise<Error | undefined>((resolve) => {
      child.once('spawn', () => resolve(undefined))
      child.once('error', resolve)
    })
    const { pid } = child
    if (failure !== undefined) return notStarted(failure.message)
    return pid === undefined ? notStarted('it has no process id') : E.right({ child, pid, exit })
  }

type StartChild<C> = (file: string, args: ReadonlyArray<string>, options: SpawnOptions) => C

const piped = (file: string, args: ReadonlyArray<string>, options: SpawnOptions) => {
  const child = spawn(file, args, { ...options, stdio: 'pipe', detached: process.platform !== 'win32' })
  // A program may stop reading its input: only its exit status says whether it failed.
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on('error', () => {})
  return child
}

const attached = (file: string, args: ReadonlyArray<string>, options: SpawnOptions): ChildProcess =>
  spawn(file, args, { ...options, stdio: 'inherit' })

export const nodeProcesses = ({ clock, lend }: ProcessesWorld): Processes => ({
  spawn: (program, signal) =>
    pipe(
      begin(program, piped),
      TE.map(({ child: { stderr, stdin, stdout }, exit, pid }) => {
        const leave = overseeGroup(pid, signal, clock)
        void exit.then(leave)
        return { stdin, stdout, stderr, kill: (which) => void signalGroup(pid, which), exit: () => exit }
      }),
    ),
  attach: (program, signal) => async () => {
    const takeBack = lend()
    const started = await begin(program, attached)()
    if (E.isRight(started)) {
      const leave = overseeTree(started.right.pid, signal, clock)
      const status = await started.right.exit
      leave()
      takeBack()
      return E.right(status)
    }
    takeBack()
    return started
  },
})
