/**
 * The port `Commands` on this machine: bash or the platform's shell, with a terminal if one is wanted and available.
 */
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import type { Clock } from '../../ports/clock.ts'
import type { CommandLine, Commands, Invocation } from '../../ports/commands.ts'
import { type Child, type Start, statusOf } from './child.ts'
import { overseeGroup } from './interrupt.ts'
import { startPiped } from './pipes.ts'
import { findProgram, isFolder } from './programs.ts'
import { makeScratch } from './scratch.ts'
import { loadTerminals, type Terminals } from './terminal.ts'

const isWindows = process.platform === 'win32'

type Program = { readonly file: string; readonly args: ReadonlyArray<string>; readonly isVerbatim: boolean }

const argvOf = (line: CommandLine): ReadonlyArray<string> => {
  if (line._tag === 'Program') return line.argv
  if (line.isBash) return ['bash', '-c', line.text]
  return isWindows ? ['cmd.exe', '/d', '/s', '/c', `"${line.text}"`] : ['sh', '-c', line.text]
}

const notFound = (line: CommandLine, name: string): Diagnostic =>
  line._tag === 'Shell' && line.isBash
    ? error('DT3502', 'bash is not on the PATH', {
        help: 'install bash, or use --no-bash to run commands with the default shell',
      })
    : error('DT3503', `the program ${name} does not exist`, { help: 'check its name, and the PATH' })

/** On Unix through `sh`, which joins both streams in the order they are written, and has an empty standard input. */
const programOf =
  ({ env, folder, line }: Invocation): TE.TaskEither<Diagnostic, Program> =>
  async () => {
    if (!(await isFolder(folder))) return E.left(error('DT3503', `the folder ${folder} does not exist`))
    const [name = '', ...args] = argvOf(line)
    const file = await findProgram(name, env, folder)
    if (file === undefined) return E.left(notFound(line, name))
    if (isWindows) return E.right({ file, args, isVerbatim: line._tag === 'Shell' && !line.isBash })
    const joined = ['-c', 'exec "$@" </dev/null 2>&1', 'sh', file, ...args]
    return E.right({ file: '/bin/sh', args: joined, isVerbatim: false })
  }

const colored = (env: ReadonlyMap<string, string>): ReadonlyMap<string, string> =>
  (env.get('NO_COLOR') ?? '') !== '' || env.has('FORCE_COLOR') ? env : new Map([...env, ['FORCE_COLOR', '1']])

const startUnder = (terminals: Terminals | undefined, start: Start, { terminal }: Invocation): Child | undefined => {
  if (terminal === undefined || terminals === undefined) return undefined
  try {
    return terminals(start, terminal)
  } catch {
    // No pseudo-terminal is available: fall back to pipes.
    return undefined
  }
}

/** The output has the width of the terminal, minus the prefix of each line, also after the window is resized. */
const followWindow = (child: Child, { terminal }: Invocation): (() => void) => {
  const { stdout } = process
  if (terminal === undefined || !stdout.isTTY) return () => {}
  const taken = stdout.columns - terminal.columns
  const resize = (): void => child.resize(Math.max(20, stdout.columns - taken), stdout.rows)
  stdout.on('resize', resize)
  return () => void stdout.off('resize', resize)
}

const runIn =
  (clock: Pick<Clock, 'after'>, terminals: () => Terminals | undefined): Commands['run'] =>
  (invocation, onOutput, signal) =>
  async () => {
    const program = await programOf(invocation)()
    if (E.isLeft(program)) return program
    const { args, file, isVerbatim } = program.right
    const { env, folder, terminal } = invocation
    const start: Start = { file, args, folder, env, onOutput }
    const found = terminal === undefined ? undefined : terminals()
    const piped = { ...start, env: terminal === undefined ? env : colored(env) }
    const child = await (startUnder(found, start, invocation) ??
      startPiped(piped, isVerbatim, clock).catch((cause: unknown) =>
        cause instanceof Error ? cause : new Error(String(cause)),
      ))
    if (child instanceof Error) return E.left(error('DT3503', `it cannot be started: ${child.message}`))
    const leave = overseeGroup(child.pid, signal, clock)
    const leaveWindow = followWindow(child, invocation)
    const exit = await child.ended
    leave()
    leaveWindow()
    return E.right(statusOf(exit))
  }

/** `terminals` is for tests: without it output goes through pipes. */
export const processCommands = (
  clock: Pick<Clock, 'after'>,
  terminals: () => Terminals | undefined = () => loadTerminals(clock),
): Commands => ({
  run: runIn(clock, terminals),
  scratch: makeScratch,
})
