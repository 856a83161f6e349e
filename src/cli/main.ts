/** Runs one command line. Unlike clipanion's own `runExit`, usage errors go to stderr, with status 2. */
import { isSea } from 'node:sea'
import { type Diagnostic, error } from '../domain/diagnostic/diagnostic.ts'
import { marksFor } from '../domain/text/marks.ts'
import { type Argument, argumentsOf } from './arguments.ts'
import type { CliContext } from './context.ts'
import { usage } from './flags/usage.ts'
import { load, rows } from './installed.ts'
import { watchInterruption } from './interruption.ts'
import { mistakeIn, unknownCommand } from './mistake.ts'
import type { Outcome } from './outcome.ts'
import { parse, spelledOut } from './program.ts'
import { commandIn, commandsBelow, rowNamed, takesValue } from './registry.ts'
import { tellEnd } from './run-end.ts'
import { show } from './show.ts'
import { isTerminal, standard } from './standard.ts'
import { sizeOf } from './terminal.ts'
import { wire } from './wire.ts'

/** What the caller provides; the rest of the context is created here. */
export type CliProcess = Omit<CliContext, 'help' | 'rawStderr' | 'terminalSize' | 'interruption' | 'computing'> &
  Partial<Pick<CliContext, 'terminalSize' | 'interruption' | 'computing'>>

const uncut = <A>(run: () => Promise<A>): Promise<A> => run()

const never = (): AbortSignal => new AbortController().signal

export const contextOf = (world: CliProcess): CliContext => {
  const help = async (topic: string | undefined): Promise<Outcome> => {
    const { helpText } = await import('./help.ts')
    const commands = await Promise.all(rows.map(({ name }) => load(name)))
    const text = helpText(
      commands.flatMap((command) => command ?? []),
      world.version,
      topic,
    )
    return text === undefined ? { findings: [unknownCommand(topic ?? '')] } : { findings: [], output: text }
  }
  const marked = marksFor(world.env)
  return {
    terminalSize: () => sizeOf({}),
    interruption: never,
    computing: uncut,
    ...world,
    stderr: (text) => world.stderr(marked(text)),
    rawStderr: world.stderr,
    help,
  }
}

/** clipanion does not accept a line break in a value after `=`. */
const splitLong = (argv: ReadonlyArray<string>): ReadonlyArray<string> => {
  const end = argv.indexOf('--')
  return argv.flatMap((text, index) => {
    const at = text.indexOf('=')
    const isSplit = text.startsWith('-') && text.includes('\n') && takesValue()(text.slice(0, at))
    const isOption = (end === -1 || index < end) && at > 0 && !text.startsWith('-', at + 1)
    return isSplit && isOption ? [text.slice(0, at), text.slice(at + 1)] : [text]
  })
}

const refuse = (context: CliContext, found: Diagnostic): Promise<number> =>
  show(context, { findings: [found] }, { isJson: false, isQuiet: false, level: 'warn' })

/** Programs that asked for JSON get it even when the rest of the command line is wrong. */
const refuseCommand = async (context: CliContext, argv: ReadonlyArray<string>, name: string): Promise<number> => {
  const asksFor = (flags: ReadonlyArray<string>): boolean =>
    argumentsOf(argv, takesValue(name)).some(
      (part) => part._tag === 'Flag' && part.value === 'json' && flags.includes(part.name),
    )
  const found = mistakeIn(argv, name)
  const hasEnd = asksFor(['--progress'])
  const isJson = hasEnd || asksFor(['-o', '--output'])
  const status = await show(context, { findings: [found] }, { isJson, isQuiet: false, level: 'warn' })
  if (hasEnd)
    tellEnd(context, await context.ports({ form: 'json', hasDocument: false, hasEnd, isDebug: false }), [found], {
      status,
    })
  return status
}

const isHelp = (name: string): boolean => name === '--help' || name === '-h'

/** The words that may be the name of the command, with their indexes, and whether only help is wanted. */
type Intent = {
  readonly words: ReadonlyArray<Extract<Argument, { readonly _tag: 'Word' }>>
  readonly isVersion: boolean
  readonly wantsHelp: boolean
}

const intentOf = (argv: ReadonlyArray<string>): Intent => {
  const end = argv.indexOf('--')
  const parts = argumentsOf(end === -1 ? argv : argv.slice(0, end), takesValue())
  return {
    words: parts.flatMap((part) => (part._tag === 'Word' ? [part] : [])),
    isVersion: parts.some((part) => part._tag === 'Flag' && part.name === '--version'),
    wantsHelp: parts.some((part) => part._tag === 'Flag' && isHelp(part.name)),
  }
}

/**
 * Moves the name of the command to the front: its words may be mixed with flags. The arguments of a hidden command stay
 * as they are.
 */
const inOrder = (argv: ReadonlyArray<string>, name: string, { words }: Intent): ReadonlyArray<string> => {
  const path = name.split(' ')
  if (rowNamed(name)?.isHidden === true) return path
  if (path.length === 1) return argv
  const places = new Set(words.slice(0, path.length).map(({ at }) => at))
  return [...path, ...argv.filter((_, at) => !places.has(at))]
}

const runCommand = async (argv: ReadonlyArray<string>, name: string, context: CliContext): Promise<number> => {
  const command = await load(name)
  const spelled = command === undefined ? argv : spelledOut(command, splitLong(argv))
  const run = command === undefined ? undefined : parse(command, spelled, context)
  return run === undefined ? refuseCommand(context, spelled, name) : run()
}

/** `sync` and `sync nosuch`, where only subcommands exist. */
const runGroup = (words: ReadonlyArray<string>, context: CliContext): Promise<number> => {
  const [group = '', second] = words
  const below = commandsBelow(group)
  if (below.length === 0) return refuse(context, unknownCommand(group))
  if (second !== undefined) return refuse(context, unknownCommand(`${group} ${second}`, below))
  return runCommand(['help', group], 'help', context)
}

/** Resolves to the exit status. */
export const main = async (argv: ReadonlyArray<string>, world: CliProcess): Promise<number> => {
  const context = contextOf(world)
  if (context.cwd === '') return refuse(context, noFolder)
  if (argv[0] === '__complete') {
    const { printCandidates } = await import('./complete.ts')
    return printCandidates(context, argv.slice(1))
  }
  const intent = intentOf(argv)
  const { isVersion, wantsHelp, words } = intent
  const texts = words.map(({ text }) => text)
  const [word] = texts
  if (word === undefined && isVersion) {
    return main(
      argv.map((text) => (text === '--version' ? 'version' : text)),
      world,
    )
  }
  if (word === undefined && argv.length > 0 && !wantsHelp) {
    const unknown = argv.find((text) => text.startsWith('-') && !text.startsWith('--loglevel')) ?? argv[0]
    const message = unknown?.startsWith('--loglevel') === true ? 'there is no command' : `unknown flag "${unknown}"`
    return refuse(context, usage(message, '`devtool help` lists the commands'))
  }
  if (word === undefined) return runCommand(['help'], 'help', context)
  const name = commandIn(texts)
  if (name === undefined) return runGroup(texts, context)
  const isDescribed = wantsHelp && rowNamed(name)?.isHidden !== true
  return isDescribed
    ? runCommand(['help', ...name.split(' ')], 'help', context)
    : runCommand(inOrder(argv, name, intent), name, context)
}

/** Empty when the folder has been deleted. */
const currentFolder = (): string => {
  try {
    return process.cwd().replaceAll('\\', '/')
  } catch {
    return ''
  }
}

const noFolder = error('DT1007', 'the current folder no longer exists', { help: 'change to another folder' })

/** How long the process waits for what its command left open. */
const leftOpenMs = 5000

/** Runs the command line of this process. All output is written before it ends, so `exit` is never called early. */
export const start = async (onLargeInput: () => void): Promise<void> => {
  const interruption = watchInterruption()
  const mayBlock = (): boolean => !interruption.isUsed()
  const stdout = standard(1, () => process.stdout, mayBlock)
  const stderr = standard(2, () => process.stderr, mayBlock)
  const terminals = {
    get stdin() {
      return isTerminal(0)
    },
    get stdout() {
      return isTerminal(1)
    },
    get stderr() {
      return isTerminal(2)
    },
  }
  const [cwd, version] = [currentFolder(), process.env['DEVTOOL_VERSION'] ?? '0.0.0']
  // Of Node's own warnings, only that about NODE_TLS_REJECT_UNAUTHORIZED is for users: it is a finding (DT3172).
  process.removeAllListeners('warning')
  const world = {
    cwd,
    env: process.env,
    stdin: () => process.stdin,
    stdout: stdout.open,
    stderr: stderr.open,
    isTerminal: terminals,
    interruption: interruption.signal,
    lend: interruption.lend,
    onLargeInput,
    version,
  }
  let isAbandoned = false
  const status = await main(process.argv.slice(2), {
    env: process.env,
    stdout: stdout.print,
    stderr: stderr.print,
    cwd,
    separator: process.platform === 'win32' ? ';' : ':',
    version,
    program: isSea() ? [process.execPath] : [process.execPath, ...process.argv.slice(1, 2)],
    isTerminal: terminals,
    terminalSize: () => sizeOf(stdout.open()),
    ports: (progress) => wire(world, progress),
    interruption: interruption.signal,
    computing: interruption.computing,
    abandoned: () => {
      isAbandoned = true
    },
  })
  process.exitCode = interruption.status() ?? status
  // Requests that a read-only command left in progress must not delay its end.
  if (isAbandoned || interruption.status() !== undefined) process.exit()
  // A connection that was left open is a mistake, and must not keep the process: only a slow reader may.
  const leave = (): void => {
    if (stdout.isWritten() && stderr.isWritten()) process.exit()
  }
  setInterval(leave, leftOpenMs).unref()
}
