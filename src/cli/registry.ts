/** Commands by name, and their flags. */
import { rows } from './installed.ts'
import type { FlagRow, Row } from './row.ts'

/** The commands of the help, in its order. */
export const commandNames: ReadonlyArray<string> = rows
  .filter(({ isHidden = false }) => !isHidden)
  .map(({ name }) => name)

/** First words of commands: `sync` for `sync kept`. */
export const firstWords: ReadonlyArray<string> = [...new Set(commandNames.map((name) => name.split(' ', 1).join()))]

export const rowNamed = (name: string): Row | undefined => rows.find((row) => row.name === name)

/** The longest command name that the words begin with: `context use` before `context`. */
export const commandIn = (words: ReadonlyArray<string>): string | undefined =>
  [3, 2, 1].map((count) => words.slice(0, count).join(' ')).find((name) => rowNamed(name) !== undefined)

/** Subcommands: `context` has `use`, `list` and so on. */
export const commandsBelow = (name: string): ReadonlyArray<string> =>
  rows.map((row) => row.name).filter((other) => other.startsWith(`${name} `))

/** The flags of the command, or of all commands while it is unknown. */
export const flagNamed = (flag: string, command: string | undefined): FlagRow | undefined => {
  const among = command === undefined ? rows : rows.filter(({ name }) => name === command)
  return among.flatMap(({ flags }) => flags).find(({ names }) => names.includes(flag))
}

/** Whether the next argument is the flag's value. */
export const takesValue =
  (command?: string) =>
  (flag: string): boolean => {
    const arity = flagNamed(flag, command)?.arity
    return arity === 'One' || arity === 'Many'
  }
