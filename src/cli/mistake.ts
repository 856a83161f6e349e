/** What is wrong with a command line that cannot be read, in words that help. */
import { type Diagnostic, error } from '../domain/diagnostic/diagnostic.ts'
import { closest } from '../domain/text/suggest.ts'
import { argumentsOf, flagOf } from './flags.ts'
import { needsArgument } from './positionals.ts'

export const usage = (message: string, help: string): Diagnostic => error('DT2001', message, { help })

const quoted = (text: string): string => `"${text}"`

export const unknownCommand = (word: string, commands: ReadonlyArray<string>): Diagnostic => {
  const near = closest(word, commands)
  return usage(
    `unknown command ${quoted(word)}`,
    near === undefined ? '`devtool help` lists the commands' : `did you mean ${quoted(near)}?`,
  )
}

/** `names` are those of all flags of the command, short and long; `below` the commands that begin with it. */
export const mistakeIn = (
  argv: ReadonlyArray<string>,
  command: string,
  names: ReadonlyArray<string>,
  below: ReadonlyArray<string> = [],
): Diagnostic => {
  const more = `\`devtool ${command} --help\` lists what it takes`
  const parts = argumentsOf(argv)
  for (const part of parts) {
    if (part._tag === 'Word') continue
    const { isBound, name, value } = part
    const isNegated = name.startsWith('--no-') && names.includes(`--${name.slice(5)}`)
    if (!names.includes(name) && !isNegated) {
      const near = closest(name, names)
      return usage(`unknown flag ${quoted(name)}`, near === undefined ? more : `did you mean ${quoted(near)}?`)
    }
    const takes = flagOf(name)
    if (takes !== undefined && value === undefined)
      return usage(`${name} needs a value`, `write ${name} ${takes.value}`)
    if (takes === undefined && isBound) return usage(`${name} takes no value`, `write ${name} alone`)
  }
  const words = parts.flatMap((part) => (part._tag === 'Word' ? [part.text] : []))
  const extra = words.slice(command.split(' ').length)
  const [first, last] = [extra[0], extra.at(-1)]
  if (first !== undefined && below.length > 0) return unknownCommand(`${command} ${first}`, below)
  if (last !== undefined) return usage(`unexpected argument ${quoted(last)}`, more)
  if (needsArgument(command)) return usage(`${command} needs a name`, more)
  return usage('the command line cannot be understood', more)
}
