/**
 * A run as permanent lines: changes of state, messages, output of commands. They contain no terminal control sequences.
 */
import { showDiagnostic } from '../diagnostic/show.ts'
import { harmless } from '../text/harmless.ts'
import { visible } from '../text/visible.ts'
import type { Scrolled } from './event.ts'
import { elapsedMs, isOpen, type ProgressStep } from './step.ts'
import { paint, showDuration, showElapsed } from './text.ts'

const stateWidth = 'running'.length

/** Any further services that are waited for are only counted. */
const mostReasons = 3

/** `running web: pulling image`, `done web: 2 of 2 pods ready (12.3s)`. */
export const plainStep = (step: ProgressStep): string => {
  const { detail, endMs, state, title } = step
  const took = endMs === undefined || state === 'Skipped' ? '' : ` (${showDuration(elapsedMs(step, endMs))})`
  const said = detail === '' ? '' : `: ${visible(detail)}`
  return `${state.toLowerCase().padEnd(stateWidth)} ${visible(title)}${said}${took}`
}

/** What is still being waited for, after a long time without changes; `undefined` when there is nothing. */
export const stillLine = (steps: ReadonlyArray<ProgressStep>, nowMs: number): string | undefined => {
  const open = steps.filter(isOpen).toSorted((a, b) => Number(b.state === 'Running') - Number(a.state === 'Running'))
  if (open.length === 0) return undefined
  const reasons = open.slice(0, mostReasons).map(({ detail, state, title }) => {
    return `${visible(title)} (${visible(detail) || state.toLowerCase()})`
  })
  const rest = open.length > mostReasons ? [`and ${open.length - mostReasons} more`] : []
  const first = open.reduce((least, { startMs }) => Math.min(least, startMs), nowMs)
  return `still running after ${showElapsed(nowMs - first)}: ${[...reasons, ...rest].join(', ')}`
}

/** Whole lines, each with its newline. A command's output is prefixed with its name. */
export const scrolledText = (event: Scrolled, color: boolean): string => {
  switch (event._tag) {
    case 'Said':
      return `${visible(event.text)}\n`
    case 'Found':
      return `${showDiagnostic(event.diagnostic, { color, line: event.line ?? (() => undefined) })}\n`
    case 'Output': {
      const lead = `${paint(color, '36', visible(event.source))} | `
      const lines = event.text.replace(/\r?\n$/, '').split(/\r?\n/)
      return lines.map((line) => `${lead}${harmless(line, color)}\n`).join('')
    }
  }
}
