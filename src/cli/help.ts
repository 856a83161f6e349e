/** Help texts, made from the definitions of commands. Plain text of at most 80 columns. */
import { type CliCommand, groups } from './command.ts'
import type { Flag, Word } from './flags/flag.ts'
import { type HelpTopic, helpTopics } from './help-topics.ts'
import { sectionsOf } from './sections.ts'

const WIDTH = 80

/** Lines after the first are indented by `indent` spaces; `broken` ends each but the last. */
const fill = (words: ReadonlyArray<string>, indent: number, broken = ''): string => {
  const lines: Array<string> = []
  let line = ''
  const room = WIDTH - indent - broken.length
  for (const word of words) {
    if (line !== '' && line.length + 1 + word.length > room) {
      lines.push(line + broken)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line].join(`\n${' '.repeat(indent)}`)
}

/** Wraps at spaces only. */
const wrap = (text: string, indent: number): string =>
  fill(
    text.split(/\s+/).filter((part) => part !== ''),
    indent,
  )

/** The result can still be copied into a shell: a long line continues after a backslash, with the next flag. */
const showExample = ([what, line]: readonly [string, string]): string =>
  `  # ${what}\n  ${fill(line.replaceAll('$0', 'devtool').split(/ (?=-)/), 4, ' \\')}`

/** `about` in a column of its own, or below a `left` that is too long for that. */
const beside = (left: string, about: string, column: number): string => {
  const text = wrap(about.replaceAll('`', ''), column)
  return left.length + 2 > column ? `${left}\n${' '.repeat(column)}${text}` : left.padEnd(column) + text
}

const showFlag = ({ about, names, value }: Flag<unknown>): string => {
  const long = names.at(-1) ?? ''
  const short = names.length > 1 ? `${names[0]}, ` : '    '
  return beside(`  ${short}${long}${value === undefined ? '' : ` ${value}`}`, about, 28)
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

const showFlags = ({ flags, sections: own }: CliCommand): ReadonlyArray<string> => {
  const shown = new Map(Object.entries(flags).filter(([, { unused }]) => unused === undefined))
  return sectionsOf([...shown.keys()], own).map(([heading, keys]) => {
    const lines = keys.map((key) => shown.get(key)).flatMap((flag) => (flag === undefined ? [] : [showFlag(flag)]))
    return lines.length === 0 ? '' : `${heading}:\n${lines.join('\n')}`
  })
}

/** The help of one command. The most needed parts fit on the first screen; the rest is below the flags. */
const showCommand = (command: CliCommand): string => {
  const { about, details = '', examples, name, words } = command
  const [first = '', ...more] = details.trim().split(/\n\n+/)
  const shown = showFlags(command).filter((text) => text !== '')
  return sections([
    capital(about),
    `usage: devtool ${name}${shown.length === 0 ? '' : ' [flags]'}${Object.values(words).map(showWord).join('')}`,
    paragraphs(first),
    `examples:\n${examples.map(showExample).join('\n')}`,
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
        .map(({ about, name }) => beside(`  ${name}`, about, 18))
      return `${group.toLowerCase()}:\n${lines.join('\n')}`
    }),
    `topics:\n${[...helpTopics].map(([name, { title }]) => beside(`  help ${name}`, title, 22)).join('\n')}`,
    wrap('Run "devtool <command> --help" for a command, "devtool explain CODE" for a diagnostic code.', 0),
  ])

const showTopic = ({ about, entries, more, title }: HelpTopic): string =>
  sections([
    wrap(about, 0),
    `${title}:\n${entries.map(([name, text]) => beside(`  ${name}`, text, 24)).join('\n')}`,
    wrap(more, 0),
  ])

/** `sync`: the commands that begin with it. */
const showGroup = (commands: ReadonlyArray<CliCommand>, name: string): string =>
  sections([
    `usage: devtool ${name} <command> [flags]`,
    `commands:\n${commands.map((command) => beside(`  ${command.name}`, command.about, 18)).join('\n')}`,
    wrap(`Run "devtool ${name} <command> --help" for one of them.`, 0),
  ])

/**
 * Help on a command, on its subcommands, on a topic, or without a name on all commands; `undefined` for an unknown
 * name.
 */
export const helpText = (
  all: ReadonlyArray<CliCommand>,
  version: string,
  topic: string | undefined,
): string | undefined => {
  const commands = all.filter(({ isHidden = false }) => !isHidden)
  if (topic === undefined) return showCommands(commands, version)
  const command = commands.find(({ name }) => name === topic)
  if (command !== undefined) {
    const below = [...helpTopics.values()].filter((each) => each.below === topic)
    return [showCommand(command), ...below.map(showTopic)].join('\n')
  }
  const below = commands.filter(({ name }) => name.startsWith(`${topic} `))
  if (below.length > 0) return showGroup(below, topic)
  const text = helpTopics.get(topic)
  return text === undefined ? undefined : showTopic(text)
}
