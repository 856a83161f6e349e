/** Explains why a command line is invalid. */
import type { Diagnostic } from '../domain/diagnostic/diagnostic.ts'
import { didYouMean } from '../domain/text/suggest.ts'
import { argumentsOf } from './arguments.ts'
import { usage } from './flags/usage.ts'
import { commandNames, commandsBelow, flagNamed, rowNamed, takesValue } from './registry.ts'

const quoted = (text: string): string => `"${text}"`

export const unknownCommand = (word: string, commands: ReadonlyArray<string> = commandNames): Diagnostic =>
  usage(`unknown command ${quoted(word)}`, didYouMean(word, commands, '`devtool help` lists the commands'))

/** The mistake in a command line of `command`. */
export const mistakeIn = (argv: ReadonlyArray<string>, command: string): Diagnostic => {
  const { flags = [], words = [] } = rowNamed(command) ?? {}
  const names = [...flags.flatMap((row) => row.names), '--help', '-h']
  const more = `\`devtool ${command} --help\` lists what it takes`
  const takesCommand = words.some(({ arity }) => arity === 'Command')
  const end = argv.indexOf('--')
  const parts = argumentsOf(takesCommand && end !== -1 ? argv.slice(0, end) : argv, takesValue(command))
  for (const part of parts) {
    if (part._tag === 'Word') continue
    const { isBound, name, value } = part
    const isNegated = name.startsWith('--no-') && names.includes(`--${name.slice(5)}`)
    if (!names.includes(name) && !isNegated) {
      return usage(`unknown flag ${quoted(name)}`, didYouMean(name, names, more))
    }
    const row = flagNamed(name, command)
    if (takesValue(command)(name) && value === undefined)
      return usage(`${name} needs a value`, `write ${name} ${row?.value ?? 'VALUE'}`)
    if (row?.arity !== 'Maybe' && !takesValue(command)(name) && isBound)
      return usage(`${name} takes no value`, `write ${name} alone`)
  }
  const typed = parts.flatMap((part) => (part._tag === 'Word' ? [part.text] : []))
  const extra = typed.slice(command.split(' ').length)
  const [first, last] = [extra[0], extra.at(-1)]
  const below = commandsBelow(command)
  if (first !== undefined && below.length > 0) return unknownCommand(`${command} ${first}`, below)
  if (last !== undefined) {
    return usage(`unexpected argument ${quoted(last)}`, takesCommand ? 'write `--` before the command' : more)
  }
  const missing = words.find(({ arity }) => arity === 'One')
  if (missing !== undefined)
    return usage(
      `${command} needs a ${missing.name}`,
      missing.values === undefined ? more : `use ${missing.values.join(', ')}`,
    )
  return usage('the command line cannot be understood', more)
}
