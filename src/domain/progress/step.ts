/** The state of a step, accumulated from its events: its state, since when, and what it spent its time on. */
import { defined } from '../object/defined.ts'
import type { ProgressEvent, StepState } from './event.ts'

export type StepEvent = Extract<ProgressEvent, { readonly _tag: 'Step' }>

/** Something the step was doing or waiting for, and for how long in total. */
export type StepSpan = { readonly text: string; readonly ms: number }

/**
 * `sinceMs`: when the current phase began; without a phase, the detail counts. `endMs` is set once it is done. All
 * times are by the clock of the run.
 */
export type ProgressStep = {
  readonly id: string
  readonly title: string
  readonly state: StepState
  readonly detail: string
  readonly phase?: string
  readonly startMs: number
  readonly sinceMs: number
  readonly endMs?: number
  readonly spans: ReadonlyArray<StepSpan>
}

/** More different details than this are too many to show where the time went. */
const mostSpans = 20

const isOver = (state: StepState): boolean => state === 'Done' || state === 'Failed' || state === 'Skipped'

const wordOf = ({ detail, phase = detail, state }: Pick<ProgressStep, 'detail' | 'phase' | 'state'>): string =>
  phase || (state === 'Waiting' ? 'waiting' : 'running')

const withSpan = (spans: ReadonlyArray<StepSpan>, text: string, ms: number): ReadonlyArray<StepSpan> => {
  if (spans.some((span) => span.text === text)) {
    return spans.map((span) => (span.text === text ? { text, ms: span.ms + ms } : span))
  }
  return ms <= 0 || spans.length >= mostSpans ? spans : [...spans, { text, ms }]
}

/** Total: a step may begin in any state and continue after its end. An event without news changes nothing. */
export const stepAfter = (before: ProgressStep | undefined, event: StepEvent): ProgressStep => {
  const { atMs, detail = '', id, phase, state, title } = event
  const now = { id, title, state, detail, ...defined({ phase }) }
  const end = isOver(state) ? { endMs: atMs } : {}
  if (before === undefined) return { ...now, startMs: atMs, sinceMs: atMs, spans: [], ...end }
  if (before.state === state && before.detail === detail && before.title === title) return before
  if (isSamePhase(before, now)) return { ...before, ...now }
  const spans = isOver(before.state) ? before.spans : withSpan(before.spans, wordOf(before), atMs - before.sinceMs)
  return { ...now, startMs: before.startMs, sinceMs: atMs, spans, ...end }
}

/** Only the numbers in the detail have changed. */
export const isSamePhase = (
  a: Pick<ProgressStep, 'phase' | 'state'>,
  b: Pick<ProgressStep, 'phase' | 'state'>,
): boolean => a.phase !== undefined && a.phase === b.phase && a.state === b.state

/** What its time was spent on, including what it is doing now. */
export const spansAt = (step: ProgressStep, nowMs: number): ReadonlyArray<StepSpan> =>
  step.endMs === undefined ? withSpan(step.spans, wordOf(step), nowMs - step.sinceMs) : step.spans

/** How long it has been running, or ran. */
export const elapsedMs = ({ endMs, startMs }: ProgressStep, nowMs: number): number =>
  Math.max(0, (endMs ?? nowMs) - startMs)

/** Neither done nor failed. */
export const isOpen = ({ state }: ProgressStep): boolean => !isOver(state)

export const countOf = (steps: ReadonlyArray<ProgressStep>, state: StepState): number =>
  steps.filter((step) => step.state === state).length
