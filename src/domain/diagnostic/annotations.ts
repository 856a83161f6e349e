/** Findings as GitHub Actions workflow commands, which GitHub shows beside the lines of a pull request. */

import { normalise } from '../text/path.ts'
import type { Place } from '../text/source.ts'
import { visible } from '../text/visible.ts'
import type { Diagnostic } from './diagnostic.ts'

const commands = { error: 'error', warning: 'warning', note: 'notice' } as const

const escapeText = (text: string): string =>
  text
    .split(/(\r\n|\r|\n)/)
    .map((part, i) => (i % 2 === 1 ? part : visible(part)))
    .join('')
    .replaceAll('%', '%25')
    .replaceAll('\r', '%0D')
    .replaceAll('\n', '%0A')

const escapeProperty = (text: string): string => escapeText(text).replaceAll(':', '%3A').replaceAll(',', '%2C')

/** GitHub accepts columns only for a single line, and its end column is inclusive. */
const placeProperties = ({ file, line, col, endLine, endCol }: Place): ReadonlyArray<readonly [string, string]> => {
  const name = ['file', normalise(file)] as const
  if (endLine > line) {
    return [name, ['line', String(line)], ['endLine', String(endLine)]]
  }
  return [
    name,
    ['line', String(line)],
    ['col', String(col)],
    ['endLine', String(line)],
    ['endColumn', String(Math.max(col, endCol - 1))],
  ]
}

/** One line without its newline: `::error file=…,line=…,col=…,endLine=…,endColumn=…,title=DT1012::message`. */
export const githubAnnotation = (d: Diagnostic): string => {
  const properties = [...(d.at === undefined ? [] : placeProperties(d.at)), ['title', d.code] as const]
  const shown = properties.map(([key, value]) => `${key}=${escapeProperty(value)}`).join(',')
  const text = d.help === undefined ? d.message : `${d.message}\nhelp: ${d.help}`
  return `::${commands[d.severity]} ${shown}::${escapeText(text)}`
}
