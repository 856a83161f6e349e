/**
 * A finding as people read it: what, where, the line with the span underlined, and what to do. Text from outside is
 * always escaped before it reaches the terminal.
 */
import { grouped } from '../object/grouped.ts'
import type { Place } from '../text/source.ts'
import { visible, visibleLines } from '../text/visible.ts'
import type { Diagnostic, Severity } from './diagnostic.ts'
import { excerpt } from './excerpt.ts'
import type { LineOf } from './lines.ts'

export type DiagnosticStyle = {
  readonly line: LineOf
  readonly color: boolean
}

/** SGR parameters. */
const colors: Readonly<Record<Severity, string>> = { error: '31', warning: '33', note: '36' }
const BOLD = '1'

const paint = (color: boolean, style: string, text: string): string =>
  color ? `\u001b[${style}m${text}\u001b[0m` : text

const INDENT = '  '

/** The line number takes at least three columns, so that excerpts of short files line up. */
const showExcerpt = ({ line, col, endLine, endCol }: Place, text: string, color: boolean, style: string): string => {
  const end = endLine > line ? text.length : endCol - 1
  const cut = excerpt(text, col - 1, end)
  const gutter = `${INDENT}${String(line).padStart(3)}`
  const caret = paint(color, style, '^'.repeat(cut.width))
  return [`${gutter} | ${cut.text}`.trimEnd(), `${' '.repeat(gutter.length)} | ${' '.repeat(cut.caret)}${caret}`].join(
    '\n',
  )
}

const showPlace = (at: Place, { line, color }: DiagnosticStyle, style: string): ReadonlyArray<string> => {
  const text = line(at.file, at.line)
  const place = `${INDENT}${visible(at.file)}:${at.line}:${at.col}`
  return text === undefined ? [place] : [place, showExcerpt(at, text, color, style)]
}

const mostPlaces = 100

/** More places that say the same are only listed: their lines are much alike. */
const showPlaces = (places: ReadonlyArray<Place>, look: DiagnosticStyle, style: string): ReadonlyArray<string> => {
  if (places.length < 3) return places.flatMap((at) => showPlace(at, look, style))
  const shown = places.slice(0, mostPlaces).map(({ col, file, line }) => `${visible(file)}:${line}:${col}`)
  const rest = places.length - shown.length
  return [`${INDENT}${shown.join(', ')}${rest === 0 ? '' : ` and ${rest} more`}`]
}

/** Without a newline at the end. The line of a credential is not shown, since it contains the value. */
export const showDiagnostic = (d: Diagnostic, look: DiagnosticStyle): string => {
  const { color } = look
  const isSecret = d.code === 'DT1104'
  const withoutLines = { color, line: () => undefined }
  const labelled = (style: string, label: string, text: string): string =>
    `${INDENT}${paint(color, style, `${label}:`)} ${visibleLines(text, INDENT + INDENT)}`
  const severity = paint(color, `${BOLD};${colors[d.severity]}`, d.severity)
  const lines = [
    `${severity} ${paint(color, BOLD, visible(d.code))}: ${visibleLines(d.message, INDENT + INDENT)}`,
    ...(d.at === undefined ? [] : showPlace(d.at, isSecret ? withoutLines : look, colors[d.severity])),
    ...(d.help === undefined ? [] : [labelled(BOLD, 'help', d.help)]),
    ...[...grouped(d.related ?? [], ({ message }) => message)].flatMap(([message, related]) => [
      labelled(`${BOLD};${colors.note}`, 'note', message),
      ...showPlaces(
        related.map(({ at }) => at),
        isSecret ? withoutLines : look,
        colors.note,
      ),
    ]),
  ]
  return lines.join('\n')
}

/** `2 errors, 1 warning`; '' when there is neither. Notes are not counted, since they require no action. */
export const showSummary = (found: ReadonlyArray<Diagnostic>, color: boolean): string => {
  const count = (severity: Severity): ReadonlyArray<string> => {
    const n = found.filter((d) => d.severity === severity).length
    if (n === 0) return []
    return [paint(color, `${BOLD};${colors[severity]}`, `${n} ${severity}${n === 1 ? '' : 's'}`)]
  }
  return [...count('error'), ...count('warning')].join(', ')
}
