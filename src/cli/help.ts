/** Help texts, made of what stands beside the commands. Plain text of at most 80 columns. */
import type { Definition } from 'clipanion'
import { flagOf } from './flags.ts'
import { positionalsOf } from './positionals.ts'

const WIDTH = 80

/** Words are never cut; lines after the first begin with `indent` blanks. */
const wrap = (text: string, indent: number, first = indent): string => {
  const lines: Array<string> = []
  let line = ''
  const room = (): number => WIDTH - (lines.length === 0 ? first : indent)
  for (const word of text.split(/\s+/).filter((part) => part !== '')) {
    if (line !== '' && line.length + 1 + word.length > room()) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line].join(`\n${' '.repeat(indent)}`)
}

/** The name of the command: `devtool deploy` → `deploy`. */
export const nameOf = ({ path }: Definition): string => path.split(' ').slice(1).join(' ')

/** The names in `-f,--file #0`. */
export const namesOf = (definition: string): ReadonlyArray<string> => definition.split(' ')[0]?.split(',') ?? []

const showFlag = ({ definition, description }: Definition['options'][number]): string => {
  const names = namesOf(definition)
  const long = names.at(-1) ?? ''
  const value = flagOf(long)?.value
  const short = names.length > 1 ? `${names[0]}, ` : '    '
  const left = `  ${short}${long}${value === undefined ? '' : ` ${value}`}`
  const column = 28
  const about = wrap((description ?? '').replaceAll('`', ''), column)
  return left.length + 2 > column ? `${left}\n${' '.repeat(column)}${about}` : left.padEnd(column) + about
}

const sections = (texts: ReadonlyArray<string>): string => `${texts.filter((text) => text !== '').join('\n\n')}\n`

const paragraphs = (text: string): string =>
  text
    .trim()
    .split(/\n\s*\n/)
    .map((paragraph) => wrap(paragraph.replaceAll('`', ''), 0))
    .join('\n\n')

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Everything about one command. */
const showCommand = (definition: Definition): string => {
  const { description = '', details = '', examples = [], options } = definition
  return sections([
    capital(description.trim()),
    `usage: ${definition.path}${options.length > 1 ? ' [flags]' : ''}${positionalsOf(nameOf(definition))}`,
    paragraphs(details),
    options.length === 0 ? '' : `flags:\n${options.map(showFlag).join('\n')}`,
    examples.length === 0
      ? ''
      : `examples:\n${examples.map(([about, line]) => `  # ${about.trim()}\n  ${line}`).join('\n')}`,
  ])
}

/** All commands by their groups, one line each. */
const showCommands = (definitions: ReadonlyArray<Definition>, version: string): string => {
  const groups = [...new Set(definitions.map(({ category = '' }) => category.trim()))]
  return sections([
    `devtool ${version}: Compose files on Kubernetes`,
    'usage: devtool [--loglevel LEVEL] <command> [flags]',
    ...groups.map((group) => {
      const lines = definitions
        .filter(({ category = '' }) => category.trim() === group)
        .map((definition) => {
          const left = `  ${nameOf(definition)}`.padEnd(18)
          return left + wrap((definition.description ?? '').replaceAll('`', ''), 18)
        })
      return `${group.toLowerCase()}:\n${lines.join('\n')}`
    }),
    wrap('`devtool <command> --help` describes a command, `devtool explain CODE` a message.'.replaceAll('`', ''), 0),
  ])
}

/** Of a command, of all commands without a topic; undefined for what is no command. */
export const helpText = (
  definitions: ReadonlyArray<Definition>,
  version: string,
  topic: string | undefined,
): string | undefined => {
  if (topic === undefined) return showCommands(definitions, version)
  const definition = definitions.find((candidate) => nameOf(candidate) === topic)
  return definition === undefined ? undefined : showCommand(definition)
}
