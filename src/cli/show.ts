/** Prints an outcome: data to stdout, everything else to stderr. */

import { githubAnnotation } from '../domain/diagnostic/annotations.ts'
import { type Diagnostic, error, type Severity } from '../domain/diagnostic/diagnostic.ts'
import { showDiagnostic, showSummary } from '../domain/diagnostic/show.ts'
import { exitStatus } from '../domain/diagnostic/status.ts'
import { printJsonLine } from '../domain/print/json.ts'
import { fileErrorText } from '../domain/text/file-errors.ts'
import { printable, withoutCommands } from '../domain/text/printable.ts'
import { visible } from '../domain/text/visible.ts'
import type { CliContext } from './context.ts'
import type { Outcome } from './outcome.ts'
import { hasColor, printAll } from './terminal.ts'

/**
 * `isJson`: findings are printed as one JSON object per line, all of them. In text, `level` `error` hides warnings,
 * notes and `said`, and `warn` hides notes.
 */
export type Manner = { readonly isJson: boolean; readonly isQuiet: boolean; readonly level: string }

const shownAt = (level: string): ReadonlySet<Severity> =>
  new Set(level === 'error' ? ['error'] : level === 'warn' ? ['error', 'warning'] : ['error', 'warning', 'note'])

/** The message at the end about hidden notes. */
export const hiddenNotes = (
  findings: ReadonlyArray<Diagnostic>,
  { isJson, isQuiet, level }: Manner,
): ReadonlyArray<string> => {
  const count = findings.filter(({ severity }) => severity === 'note').length
  if (count === 0 || isJson || isQuiet || level !== 'warn') return []
  return [`${count} note${count === 1 ? '' : 's'}: --loglevel info shows ${count === 1 ? 'it' : 'them'}`]
}

const unknownLine = (): undefined => undefined
const nothing = (): boolean => false

const findingsText = (
  { env, isTerminal }: CliContext,
  { findings, line = unknownLine }: Outcome,
  { isJson, level }: Manner,
): string => {
  if (isJson) return findings.map((d) => printJsonLine(d)).join('')
  const severities = shownAt(level)
  const shown = findings.filter(({ severity }) => severities.has(severity))
  const color = hasColor(env, isTerminal.stderr)
  const texts = shown.map((d) => `${showDiagnostic(d, { line, color })}\n`)
  const counted = shown.filter((d) => d.severity !== 'note').length
  const summary = counted > 1 ? `${showSummary(shown, color)}\n` : ''
  const annotations = env['GITHUB_ACTIONS'] === 'true' ? shown.map((d) => `${githubAnnotation(d)}\n`) : []
  return [withoutCommands(texts.join('')), summary, ...annotations].join('')
}

/** Systems keep eight bits of a status: 256 would mean success. */
const largestStatus = 255

/** Prints the outcome and returns the exit status. */
export const show = async (context: CliContext, outcome: Outcome, manner: Manner): Promise<number> => {
  const { findings, isInOutput = nothing, output = '', said = [] } = outcome
  const isSilent = manner.isQuiet || manner.isJson || manner.level === 'error'
  const lines = isSilent ? '' : said.map((text) => `${withoutCommands(visible(text))}\n`).join('')
  const untold = findings.filter((finding) => !isInOutput(finding))
  const print = manner.isJson ? context.rawStderr : context.stderr
  await print(lines + findingsText(context, { ...outcome, findings: untold }, manner))
  const status = exitStatus(findings) || Math.min(outcome.status ?? 0, largestStatus)
  const written = await printAll(context.stdout, typeof output === 'string' ? [printable(output)] : output)
  if (written._tag !== 'Failed') return status
  const unwritten: Diagnostic = error('DT2006', `cannot write to the standard output: ${fileErrorText(written.code)}`)
  await print(findingsText(context, { findings: [unwritten] }, manner))
  return status === 0 ? exitStatus([unwritten]) : status
}
