/** Help texts, made from the definitions of commands. Plain text of at most 80 columns. */
import { type CliCommand, groups } from './command.ts'
import type { Flag, Word } from './flags/flag.ts'

const WIDTH = 80

/** Wraps at spaces only; lines after the first are indented by `indent` spaces. */
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

const showFlag = ({ about, names, value }: Flag<unknown>): string => {
  const long = names.at(-1) ?? ''
  const short = names.length > 1 ? `${names[0]}, ` : '    '
  const left = `  ${short}${long}${value === undefined ? '' : ` ${value}`}`
  const column = 28
  const text = wrap(about.replaceAll('`', ''), column)
  return left.length + 2 > column ? `${left}\n${' '.repeat(column)}${text}` : left.padEnd(column) + text
}

const showWord = ({ arity, name, values }: Word<unknown>): string => {
  const text = values?.join('|') ?? name
  return { One: ` <${text}>`, Maybe: ` [${text}]`, Many: ` [${text} ...]`, Command: ` -- <${text}>` }[arity]
}

const sections = (texts: ReadonlyArray<string>): string => `${texts.filter((text) => text !== '').join('\n\n')}\n`

const paragraphs = (text: string): string =>
  text
    .trim()
    .split(/\n\n+/)
    .map((paragraph) => wrap(paragraph.replaceAll('`', ''), 0))
    .join('\n\n')

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Under their headings; what is under none comes last. */
const showFlags = ({ flags, sections: headings = [] }: CliCommand): ReadonlyArray<string> => {
  const shown = Object.entries(flags).filter(([, { unused }]) => unused === undefined)
  const placed = new Set(headings.flatMap(([, keys]) => keys))
  const rest = shown.flatMap(([key]) => (placed.has(key) ? [] : [key]))
  return [...headings, [headings.length === 0 ? 'flags' : 'other flags', rest] as const].map(([heading, keys]) => {
    const lines = keys.flatMap((key) => shown.flatMap(([known, flag]) => (known === key ? [showFlag(flag)] : [])))
    return lines.length === 0 ? '' : `${heading}:\n${lines.join('\n')}`
  })
}

/** The help of one command. What most people look for fits on the first screen; the rest is below the flags. */
const showCommand = (command: CliCommand): string => {
  const { about, details = '', examples, name, words } = command
  const [first = '', ...more] = details.trim().split(/\n\n+/)
  const shown = showFlags(command).filter((text) => text !== '')
  return sections([
    capital(about),
    `usage: devtool ${name}${shown.length === 0 ? '' : ' [flags]'}${Object.values(words).map(showWord).join('')}`,
    paragraphs(first),
    `examples:\n${examples.map(([what, line]) => `  # ${what}\n  ${line.replaceAll('$0', 'devtool')}`).join('\n')}`,
    ...shown,
    paragraphs(more.join('\n\n')),
  ])
}

/** All commands in their groups, one per line. */
const showCommands = (commands: ReadonlyArray<CliCommand>, version: string): string =>
  sections([
    `devtool ${version}: Compose files on Kubernetes`,
    'usage: devtool [--loglevel LEVEL] <command> [flags]',
    ...groups.map((group) => {
      const lines = commands
        .filter((command) => command.group === group)
        .map(({ about, name }) => `  ${name}`.padEnd(18) + wrap(about.replaceAll('`', ''), 18))
      return `${group.toLowerCase()}:\n${lines.join('\n')}`
    }),
    wrap('Run "devtool <command> --help" for a command, "devtool explain CODE" for a diagnostic code.', 0),
  ])

/** Help on a command, or without a topic on all commands; `undefined` for an unknown command. */
export const helpText = (
  all: ReadonlyArray<CliCommand>,
  version: string,
  topic: string | undefined,
): string | undefined => {
  const commands = all.filter(({ isHidden = false }) => !isHidden)
  if (topic === undefined) return showCommands(commands, version)
  const command = commands.find(({ name }) => name === topic)
  return command === undefined ? undefined : showCommand(command)
}
