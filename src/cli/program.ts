/** A command as a clipanion class. The command imports its heavy parts itself. */
import { Cli, type CommandClass, Option, Command as Program } from 'clipanion'
import { type Diagnostic, error, warning } from '../domain/diagnostic/diagnostic.ts'
import type { Ports } from '../ports/ports.ts'
import { completeCommand, completeOutcome, completePorts, completeText, type Reach } from './advice.ts'
import { isFlagLike } from './arguments.ts'
import type { CliCommand, Complete } from './command.ts'
import type { CliContext } from './context.ts'
import type { Flag, FlagArgument, Word } from './flags/flag.ts'
import type { ProgressChoice, ProgressForm } from './flags/output.ts'
import type { Outcome } from './outcome.ts'
import { tellEnd } from './run-end.ts'
import { hiddenNotes, show } from './show.ts'

/** A bug in devtool: one line and where to report it; the stack only with `--loglevel debug`. */
const defect = (cause: unknown, level: string): Outcome => {
  const text = cause instanceof Error ? cause.message : String(cause)
  const stack = level === 'debug' && cause instanceof Error ? (cause.stack ?? text) : undefined
  return {
    findings: [
      error('DT9001', `this is a defect of devtool: ${stack ?? text}`, {
        help:
          stack === undefined
            ? 'please report it, with what --loglevel debug prints'
            : 'please report it, with the lines above and the files',
      }),
    ],
  }
}

const unchecked = warning('DT3172', 'no certificate is checked, because NODE_TLS_REJECT_UNAUTHORIZED is 0', {
  help: 'anyone on the network path can read and change everything: remove the variable',
})

const flagOption = ({ about: description, arity, names }: Flag<unknown>): unknown => {
  const written = names.join(',')
  switch (arity) {
    case 'Switch':
      return Option.Boolean(written, { description })
    case 'One':
      return Option.String(written, { description })
    case 'Many':
      return Option.Array(written, { description })
    case 'Maybe':
      return Option.String(written, { description, tolerateBoolean: true })
  }
}

/** `undefined`: clipanion does not read it. */
const wordOption = ({ arity, name }: Word<unknown>): unknown => {
  switch (arity) {
    case 'Command':
      return undefined
    case 'One':
      return Option.String({ name })
    case 'Maybe':
      return Option.String({ name, required: false })
    case 'Many':
      return Option.Rest({ name })
  }
}

/** Under a key of their own, apart from clipanion's properties. */
const keyOf = (key: string): string => `given ${key}`

const entriesOf = <A>(record: Readonly<Record<string, A>>, option: (one: A) => unknown) =>
  Object.entries(record).flatMap(([key, one]) => {
    const made = option(one)
    return made === undefined ? [] : [[keyOf(key), made] as const]
  })

/**
 * With JSON findings progress is JSON, too, so that programs find nothing else on stderr; but not on a terminal, where
 * people read it.
 */
const progressChoice = (
  { isTerminal }: CliContext,
  form: ProgressForm,
  {
    isJson,
    output,
    ...more
  }: Pick<ProgressChoice, 'hasEnd' | 'isDebug'> & {
    readonly isJson: boolean
    readonly output: FlagArgument
  },
): ProgressChoice => ({
  form: form === 'auto' && isJson && !isTerminal.stderr ? 'json' : form,
  hasDocument: output === 'json' || output === 'yaml',
  ...more,
})

const run = async (command: CliCommand, context: CliContext, given: (key: string) => FlagArgument): Promise<number> => {
  const textOf = (key: string): FlagArgument => given(key) ?? command.flags[key]?.otherwise
  const level = String(textOf('loglevel'))
  const output = textOf('output')
  const isJson = output === 'json' || textOf('progress') === 'json'

  const shownLevel = level === 'warn' && command.isAboutFindings === true ? 'info' : level
  const manner = { isJson, isQuiet: textOf('progress') === 'quiet', level: shownLevel }
  let reach: Reach = { given }
  const shown: Array<Diagnostic> = []
  const print = (outcome: Outcome): Promise<number> => {
    for (const found of outcome.findings) shown.push(found)
    return show(context, completeOutcome(reach, outcome), manner)
  }
  const reached = (kubectlContext: string | undefined): void => {
    reach = { given, kubectlContext }
  }
  const complete: Complete = {
    command: (words) => completeCommand(reach, words),
    text: (words) => completeText(reach, words),
  }
  const sayUnused = async (keys: ReadonlyArray<string>, where: string): Promise<void> => {
    const names = keys.flatMap((key) => (given(key) === undefined ? [] : (command.flags[key]?.names.at(-1) ?? [])))
    if (names.length > 0) await print({ findings: [], said: [`${names.join(', ')}: no effect ${where}`] })
  }
  let isTold = context.env['NODE_TLS_REJECT_UNAUTHORIZED'] !== '0'
  const hasEnd = command.flags['progress'] !== undefined
  let opened: Promise<Ports> | undefined
  const open = (form: ProgressForm): Promise<Ports> => {
    const choice = progressChoice(context, form, { isJson, output, hasEnd, isDebug: level === 'debug' })
    const made = context.ports(choice).then((ports) => completePorts(() => reach, ports))
    if (choice.form === 'json') opened = made
    return made
  }
  const ports = async (form?: ProgressForm) => {
    if (form === undefined) return context.ports()
    if (!isTold) {
      isTold = true
      await print({ findings: [unchecked] })
    }
    return open(form)
  }
  for (const [key, { unused }] of Object.entries(command.flags)) {
    if (unused !== undefined) await sayUnused([key], `on ${command.name}: ${unused}`)
  }
  const call = { ...context, ports, show: print, sayUnused, reached, complete }
  const outcome = await command.start(given, call).catch((cause: unknown) => defect(cause, level))
  const status = await print(outcome)
  for (const text of hiddenNotes(shown, manner)) await context.stderr(`${text}\n`)
  if (!hasEnd || (textOf('progress') !== 'json' && opened === undefined)) return status
  tellEnd(context, await (opened ?? open('json')), shown, { ...outcome, status })
  return status
}

/**
 * clipanion builds its parser from all flags on every start, which takes longer than translating a small project. So
 * only flags on the command line are registered, or all if one of them is unknown.
 */
const mentionedFlags = ({ flags }: CliCommand, argv: ReadonlyArray<string>): CliCommand['flags'] => {
  const mentioned = new Set(argv.filter((text) => text.startsWith('-')).map((text) => text.replace(/=.*/s, '')))
  const known = Object.entries(flags).filter(([, { names }]) =>
    names.flatMap((name) => [name, name.replace(/^--/, '--no-')]).some((name) => mentioned.delete(name)),
  )
  mentioned.delete('--')
  return mentioned.size === 0 ? Object.fromEntries(known) : flags
}

/** clipanion reads options from the properties of an instance. */
const programOf = (command: CliCommand, { argv, behind }: SplitLine, context: CliContext): CommandClass =>
  class extends Program {
    static override paths = [command.name.split(' ')]

    constructor() {
      super()
      const options = [...entriesOf(mentionedFlags(command, argv), flagOption), ...entriesOf(command.words, wordOption)]
      Object.assign(this, Object.fromEntries(options))
    }

    /**
     * Returns the status instead of throwing: clipanion prints exceptions to stdout, and exits with 0 after a handled
     * `catch()`.
     */
    execute(): Promise<number> {
      const given = (key: string): FlagArgument => {
        if (command.words[key]?.arity === 'Command') return behind
        const value: unknown = Reflect.get(this, keyOf(key))
        return typeof value === 'string' || typeof value === 'boolean' || Array.isArray(value) ? value : undefined
      }
      return run(command, context, given)
    }
  }

/** A command without words cannot treat the `true` in `--replace true` as a word. */
const withValues = ({ flags, words }: CliCommand, argv: ReadonlyArray<string>): ReadonlyArray<string> => {
  if (Object.keys(words).length > 0) return argv
  const maybes = Object.values(flags).filter(({ arity }) => arity === 'Maybe')
  const isValue = (flag: string, next: string): boolean =>
    maybes.some(({ names, values }) => names.includes(flag) && values?.includes(next) === true)
  const isTaken = (at: number): boolean => isValue(argv[at - 1] ?? '', argv[at] ?? '')
  return argv.flatMap((text, at) => (isTaken(at) ? [] : isTaken(at + 1) ? [`${text}=${argv[at + 1]}`] : [text]))
}

/** `-wn NAME` and `-nNAME` as in kubectl: the first letter that takes a value takes the rest. */
const lettersOf = (known: ReadonlyArray<Flag<unknown>>, text: string): ReadonlyArray<string> => {
  const named = (name: string) => known.find(({ names }) => names.includes(name))
  const [first, rest] = [named(text.slice(0, 2)), text.slice(2)]
  if (!/^-[A-Za-z]./.test(text) || first === undefined || named(text.replace(/=.*/s, '')) !== undefined) return [text]
  if (first.arity !== 'Switch')
    return rest.startsWith('-') ? [`${first.names.at(-1)}=${rest}`] : [text.slice(0, 2), rest]
  return named(`-${rest[0]}`) === undefined ? [text] : [text.slice(0, 2), ...lettersOf(known, `-${rest}`)]
}

/**
 * Rewrites arguments that clipanion would take for flags: the number in `--tail -1`, and combined letters. A short flag
 * without a value becomes the flag that it stands for.
 */
export const spelledOut = ({ flags }: CliCommand, given: ReadonlyArray<string>): ReadonlyArray<string> => {
  const known = Object.values(flags)
  const [before, after] = given.includes('--')
    ? [given.slice(0, given.indexOf('--')), given.slice(given.indexOf('--'))]
    : [given, []]
  const argv = before.flatMap((text) => lettersOf(known, text))
  const flagAt = (at: number) => known.find(({ names }) => names.includes(argv[at] ?? ''))
  const hasNumber = (at: number): boolean => {
    const arity = flagAt(at)?.arity
    return (arity === 'One' || arity === 'Many') && /^-\d/.test(argv[at + 1] ?? '')
  }
  const spelled = argv.flatMap((text, at) => {
    const flag = flagAt(at)
    const next = argv[at + 1]
    if (hasNumber(at - 1)) return []
    if (hasNumber(at)) return [`${flag?.names.at(-1)}=${next}`]
    const isBare = !text.startsWith('--') && (next === undefined || isFlagLike(next))
    return [isBare ? (flag?.bare ?? text) : text]
  })
  return [...spelled, ...after]
}

type SplitLine = { readonly argv: ReadonlyArray<string>; readonly behind: ReadonlyArray<string> }

/** Removes the part after `--`, for commands that take a command there. */
const splitLine = ({ words }: CliCommand, argv: ReadonlyArray<string>): SplitLine => {
  const at = argv.indexOf('--')
  const isSplit = at !== -1 && Object.values(words).some(({ arity }) => arity === 'Command')
  return isSplit ? { argv: argv.slice(0, at), behind: argv.slice(at + 1) } : { argv, behind: [] }
}

/** `undefined` when the command line is invalid. */
export const parse = (
  command: CliCommand,
  argv: ReadonlyArray<string>,
  context: CliContext,
): (() => Promise<number>) | undefined => {
  const line = splitLine(command, argv)
  const cli = Cli.from([programOf(command, line, context)], { binaryName: 'devtool', enableColors: false })
  try {
    const program = cli.process([...withValues(command, line.argv)])
    return () => cli.run(program)
  } catch {
    return undefined
  }
}
