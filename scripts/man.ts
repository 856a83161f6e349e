/** Man pages, from the same definitions as `--help`. */
import type { CliCommand } from '../src/cli/command.ts'
import { helpText } from '../src/cli/help.ts'

/** A line that begins with a dot or an apostrophe would be a request; a hyphen is not a minus sign. */
const escaped = (text: string): string =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll(/^(?=[.'])/gm, '\\&')

const quoted = (text: string): string => `"${escaped(text).replaceAll('"', '\\(dq')}"`

/** Man pages have a section ENVIRONMENT for variables, so the groups of commands are parts of a section of their own. */
type Layout = { readonly title: 'DESCRIPTION' | 'COMMANDS'; readonly request: 'SH' | 'SS' }

type Page = {
  readonly name: string
  readonly about: string
  readonly layout: Layout
  readonly help: string
  readonly others: ReadonlyArray<string>
}

/** `usage: devtool deploy [flags]`, and all that is below it. */
const parts = (help: string): { readonly synopsis: string; readonly rest: string } => {
  const [, synopsis = '', rest = ''] = /^usage: (.*)\n([^]*)$/m.exec(help) ?? []
  return { synopsis, rest: rest.trim() }
}

const heading = /^([a-z][a-z ]*):\n((?:[ ].*\n?|\n(?=[ ]))+)/gm

/** Lists keep their lines; what stands between them is filled. */
const body = (text: string, request: Layout['request']): string => {
  const out: Array<string> = []
  let end = 0
  const prose = (part: string): void => {
    for (const paragraph of part.trim().split(/\n\n+/)) if (paragraph !== '') out.push('.PP', escaped(paragraph))
  }
  for (const { 0: all, 1: title = '', 2: lines = '', index } of text.matchAll(heading)) {
    prose(text.slice(end, index))
    out.push(`.${request} ${quoted(title.toUpperCase())}`, '.nf', escaped(lines.trimEnd()), '.fi')
    end = index + all.length
  }
  const rest = text.slice(end).trim()
  if (rest !== '' && end > 0) out.push('.SH NOTES')
  prose(rest)
  return out.join('\n')
}

const pageOf = ({ about, help, layout, name, others }: Page, version: string, date: string): string => {
  const { rest, synopsis } = parts(help)
  return [
    `.TH ${quoted(name.toUpperCase())} 1 "${date}" ${quoted(`devtool ${version}`)} "User Commands"`,
    // Names of commands and flags are not divided at the end of a line, and its gaps not filled.
    '.nh',
    '.ad l',
    '.SH NAME',
    `${escaped(name)} \\- ${escaped(about)}`,
    '.SH SYNOPSIS',
    escaped(synopsis),
    `.SH ${layout.title}`,
    body(rest, layout.request),
    '.SH "SEE ALSO"',
    others.map((other) => `.BR ${escaped(other)} (1)`).join(' ,\n'),
    '',
  ].join('\n')
}

/** By file name: `devtool-namespace-create.1`. */
export const manPages = (
  all: ReadonlyArray<CliCommand>,
  version: string,
  date: string,
): ReadonlyMap<string, string> => {
  const commands = all.filter(({ isHidden = false }) => !isHidden)
  const nameOf = (command: CliCommand): string => `devtool-${command.name.replaceAll(' ', '-')}`
  const day = date.slice(0, 10)
  const about = 'Compose files on Kubernetes'
  const help = helpText(commands, version, undefined) ?? ''
  const groups = { title: 'COMMANDS', request: 'SS' } as const
  const main = pageOf({ name: 'devtool', about, layout: groups, help, others: commands.map(nameOf) }, version, day)
  const layout = { title: 'DESCRIPTION', request: 'SH' } as const
  const pages = commands.map((command) => {
    const name = nameOf(command)
    const text = helpText(commands, version, command.name) ?? ''
    return [
      `${name}.1`,
      pageOf({ name, about: command.about, layout, help: text, others: ['devtool'] }, version, day),
    ] as const
  })
  return new Map([['devtool.1', main], ...pages])
}
