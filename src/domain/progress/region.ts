/**
 * The live display: one line for each step, builders' vertices below it, a summary at the end. Every line fits into one
 * row of the terminal.
 */
import { displayWidth, visible } from '../text/visible.ts'
import { type Builds, showBuilds } from './build-region.ts'
import type { StepState } from './event.ts'
import { type ProgressStyle, signs } from './look.ts'
import { countOf, elapsedMs, type ProgressStep } from './step.ts'
import { cut, fit, paint, showDuration, showElapsed } from './text.ts'

/** Which steps are shown first when there is not enough room. */
const urgency: { readonly [S in StepState]: number } = { Failed: 0, Running: 1, Waiting: 2, Skipped: 3, Done: 4 }

const mostTitle = 40
const timeWidth = 6
/** A state that lasts longer than this is shown with its duration. */
const longMs = 10_000

/** The width of the column of titles: as wide as the widest, but leaving most of the line for details. */
export const titleWidth = (steps: ReadonlyArray<ProgressStep>, columns: number): number => {
  const widest = steps.reduce((most, { title }) => Math.max(most, displayWidth(visible(title))), 0)
  return Math.min(widest, mostTitle, Math.floor(columns * 0.4))
}

const lasting = ({ endMs, sinceMs, startMs }: ProgressStep, nowMs: number): string => {
  const ms = nowMs - sinceMs
  return endMs === undefined && ms >= longMs && sinceMs > startMs ? ` (for ${showElapsed(ms)})` : ''
}

const timeOf = (step: ProgressStep, nowMs: number): string => {
  const ms = elapsedMs(step, nowMs)
  if (step.endMs === undefined) return ms < 1000 ? '' : showElapsed(ms)
  return step.state === 'Skipped' ? '' : showDuration(ms)
}

const stepLine = (step: ProgressStep, { color, columns, nowMs }: ProgressStyle, titles: number): string => {
  const { sign, style } = signs[step.state]
  const lead = `${cut(sign, columns)} `
  const middle = `${fit(step.title, titles)} ${timeOf(step, nowMs).padStart(timeWidth)}  `
  const room = columns - displayWidth(lead + middle)
  if (room < 4) return `${paint(color, style, lead.trimEnd())} ${cut(step.title, columns - 2)}`.trimEnd()
  const since = lasting(step, nowMs)
  const detail = room > since.length + 8 ? cut(step.detail, room - since.length) + since : cut(step.detail, room)
  const shade = step.state === 'Failed' ? style : '2'
  return `${paint(color, style, lead.trimEnd())} ${middle}${paint(color, shade, detail)}`.trimEnd()
}

/** `2 of 5 done, 1 failed, 12s`. */
const showSummary = (steps: ReadonlyArray<ProgressStep>, nowMs: number): string => {
  const [done, failed] = [countOf(steps, 'Done'), countOf(steps, 'Failed')]
  const first = steps.reduce((least, { startMs }) => Math.min(least, startMs), nowMs)
  const failures = failed === 0 ? [] : [`${failed} failed`]
  return [`${done} of ${steps.length} done`, ...failures, showElapsed(nowMs - first)].join(', ')
}

/** The most urgent steps, in their original order. */
const chosen = (steps: ReadonlyArray<ProgressStep>, room: number): ReadonlyArray<ProgressStep> => {
  if (steps.length <= room) return steps
  const kept = new Set(steps.toSorted((a, b) => urgency[a.state] - urgency[b.state]).slice(0, room))
  return steps.filter((step) => kept.has(step))
}

/**
 * Lines without newlines; none when there are no steps. The last column is left empty, since some terminals wrap when
 * it is written to. Law: no line is wider than `columns`, and there are fewer lines than rows.
 */
export const showRegion = (
  steps: ReadonlyArray<ProgressStep>,
  look: ProgressStyle,
  builds: Builds = new Map(),
): ReadonlyArray<string> => {
  if (steps.length === 0 || look.columns < 2 || look.rows < 2) return []
  const narrow = { ...look, columns: look.columns - 1 }
  const room = Math.max(0, look.rows - 3)
  const shown = chosen(steps, room)
  const below = builds.size === 0 ? undefined : showBuilds(shown, builds, room - shown.length, narrow)
  const titles = titleWidth(shown, narrow.columns)
  const hidden = steps.length - shown.length
  const summary = `${showSummary(steps, look.nowMs)}${hidden === 0 ? '' : `, ${hidden} not shown`}`
  const last = paint(look.color, '2', cut(summary, narrow.columns))
  const parts = shown.flatMap((step) => {
    const { isBusy = false, lines = [] } = below?.get(step.id) ?? {}
    return [stepLine(isBusy ? { ...step, detail: '', sinceMs: step.startMs } : step, narrow, titles), ...lines]
  })
  return [...parts, last]
}
