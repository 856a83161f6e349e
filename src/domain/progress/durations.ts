/** The summary of durations at the end of a run: each step, with what took most of its time. */

import { signs } from './look.ts'
import { titleWidth } from './region.ts'
import { elapsedMs, type ProgressStep, type StepSpan, spansAt } from './step.ts'
import { cut, fit, paint, showDuration } from './text.ts'

/** The longest steps are listed, any others counted. */
const mostLines = 20
/** Shorter times are not mentioned. */
const leastMs = 500
const timeWidth = 7

type DisplayOptions = { readonly columns: number; readonly color: boolean; readonly nowMs: number }

/** What a step without a detail spends its time on. */
const unsaid: ReadonlySet<string> = new Set(['waiting', 'running'])

/** The longest ones, without what the line says anyway. */
const mainSpans = (step: ProgressStep, nowMs: number): ReadonlyArray<StepSpan> =>
  spansAt(step, nowMs)
    .filter(({ ms, text }) => ms >= leastMs && text !== step.detail && !unsaid.has(text))
    .toSorted((a, b) => b.ms - a.ms)
    .slice(0, 2)

/** How many pods were ready by then is less than the result, and would fill the line. */
const countBefore = /^\d+ of \d+ ready, /

const showSpans = (step: ProgressStep, nowMs: number): string =>
  mainSpans(step, nowMs)
    .map(({ ms, text }) => `${text.replace(countBefore, '')} ${showDuration(ms)}`)
    .join(', ')

/** A step that never began has taken no time. */
const durationOf = (step: ProgressStep, nowMs: number): string =>
  step.state === 'Skipped' ? '-' : showDuration(elapsedMs(step, nowMs))

const lineOf = (step: ProgressStep, { color, columns, nowMs }: DisplayOptions, titles: number): string => {
  const { sign, style } = signs[step.state]
  const spans = showSpans(step, nowMs)
  const isSpoken = step.state !== 'Done' || step.detail !== ''
  const words = [isSpoken ? step.detail || step.state.toLowerCase() : '', spans === '' ? '' : `(${spans})`]
  const rest = words.filter((word) => word !== '').join(' ')
  const text = `${fit(step.title, titles)} ${durationOf(step, nowMs).padStart(timeWidth)}  ${rest}`
  return `${paint(color, style, sign)} ${cut(text, columns - 2).trimEnd()}`
}

/** Lines without newlines, in the order of the steps; if there are many, the failed and the longest ones. */
export const showDurations = (steps: ReadonlyArray<ProgressStep>, look: DisplayOptions): ReadonlyArray<string> => {
  const weight = (step: ProgressStep): number =>
    step.state === 'Failed' ? Number.POSITIVE_INFINITY : elapsedMs(step, look.nowMs)
  const kept = new Set(steps.toSorted((a, b) => weight(b) - weight(a)).slice(0, mostLines))
  const shown = steps.filter((step) => kept.has(step))
  const titles = titleWidth(shown, look.columns)
  const others = steps.length - shown.length
  const rest = others === 0 ? [] : [cut(`  and ${others} more that took no longer`, look.columns)]
  return [...shown.map((step) => lineOf(step, look, titles)), ...rest]
}
