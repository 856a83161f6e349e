/** A command as data, from which help, completion, lazy loading and the parser are derived. */

import type { Checked } from '../domain/checked.ts'
import * as C from '../domain/checked.ts'
import type { Ports } from '../ports/ports.ts'
import type { CliContext } from './context.ts'
import { type Flag, type FlagArgument, type Readable, type Values, type Word, without } from './flags/flag.ts'
import { loglevel, type ProgressForm } from './flags/output.ts'
import type { Outcome } from './outcome.ts'
import type { Sections } from './sections.ts'

/** In the order of the help text. */
export const groups = ['Environment', 'Contexts', 'Platform', 'Help'] as const

/** Adds the flags that printed commands need to reach the user's environment. */
export type Complete = {
  readonly command: (words: ReadonlyArray<string>) => ReadonlyArray<string>
  readonly text: (text: string) => string
}

/**
 * The input of a command besides its flags. `show` prints findings before the command ends; `sayUnused` reports which
 * of these flags, by key, were given although they have no effect `where`.
 */
export type CommandCall = Omit<CliContext, 'ports'> & {
  /** The format; without one, no progress is shown. */
  readonly ports: (progress?: ProgressForm) => Promise<Ports>
  readonly show: (outcome: Outcome) => Promise<number>
  readonly sayUnused: (keys: ReadonlyArray<string>, where: string) => Promise<void>
  /** Sets the context that kubectl needs, for the commands in messages. */
  readonly reached: (kubectlContext: string | undefined) => void
  /** For commands that are printed as data. */
  readonly complete: Complete
}

type About = {
  /** One to three words. */
  readonly name: string
  readonly group: (typeof groups)[number]
  readonly about: string
  readonly details?: string
  /** A description, and the command line with `$0` for the program. */
  readonly examples: ReadonlyArray<readonly [string, string]>
  /** Hidden: it works but is not in the help, and accepts any arguments. */
  readonly isHidden?: boolean
  /** Its output contains nothing that `--loglevel` could hide. */
  readonly isSilent?: boolean
  /** Findings are its result: notes are never hidden. */
  readonly isAboutFindings?: boolean
}

export type CliCommand = About & {
  /** Only what differs from other commands. */
  readonly sections?: Sections<string>
  readonly words: Readonly<Record<string, Word<unknown>>>
  readonly flags: Readonly<Record<string, Flag<unknown>>>
  /** The given texts, by the keys of `words` and `flags`. */
  readonly start: (given: (key: string) => FlagArgument, call: CommandCall) => Promise<Outcome>
}

/** Runs `f` on valid options; otherwise prints all errors in them. */
export const checked = async <A>(options: Checked<A>, f: (options: A) => Promise<Outcome>): Promise<Outcome> => {
  const findings = C.findings(options)
  return options._tag === 'Left' || C.hasErrors(findings) ? { findings } : f(options.right)
}

const readAll = <R extends Readable>(readable: R, given: (key: string) => FlagArgument): Checked<Values<R>> => {
  const entries = C.each(([key, { read }]: readonly [string, Readable[string]]) =>
    C.map((value: unknown) => [key, value] as const)(read(given(key))),
  )(Object.entries(readable))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each member was read for its own key
  return C.map((read: ReadonlyArray<readonly [string, unknown]>) => Object.fromEntries(read) as Values<R>)(entries)
}

/** `run` gets the values of words and flags when all are valid. Heavy modules are imported inside. */
export const command = <
  F extends Readonly<Record<string, Flag<unknown>>>,
  W extends Readonly<Record<string, Word<unknown>>>,
>({
  flags,
  run,
  words,
  ...about
}: About & {
  readonly words: W
  readonly flags: F
  readonly sections?: Sections<(keyof F & string) | 'loglevel'>
  readonly run: (given: Values<F & W>, call: CommandCall) => Promise<Outcome>
}): CliCommand => ({
  ...about,
  words,
  flags: { ...flags, loglevel: about.isSilent === true ? without(loglevel, 'it prints no messages') : loglevel },
  start: (given, call) => checked(readAll({ ...flags, ...words, loglevel }, given), (values) => run(values, call)),
})
