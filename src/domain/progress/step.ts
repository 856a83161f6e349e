/** A step of a run as its events leave it: where it is, since when, and what its time went into. */
import type { ProgressEvent, StepState } from './event.ts'

export type StepEvent = Extract<ProgressEvent, { readonly _tag: 'Step' }>

/** What a step was busy with or waited for, and how long in all. */
export type Span = { readonly text: string; readonly ms: number }

/** `sinceMs`: when its detail became what it is. `endMs` once it is over. All moments on the clock of the run. */
export type Step = {
  readonly id: string
  readonly title: string
  readonly state: StepState
  readonly detail: string
  readonly startMs: number
  readonly sinceMs: number
  readonly endMs?: number
  readonly spans: ReadonlyArray<Span>
}

/** More kinds of detail than this say nothing of where the time went. */
const mostSpans = 20

const isOver = (state: StepState): boolean => state === 'Done' || state === 'Failed' || state === 'Skipped'

const wordOf = (state: StepState, detail: string): string => detail || (state === 'Waiting' ? 'waiting' : 'running')

const withSpan = (spans: ReadonlyArray<Span>, text: string, ms: number): ReadonlyArray<Span> => {
  if (spans.some((span) => span.text === text)) {
    return spans.map((span) => (span.text === text ? { text, ms: span.ms + ms } : span))
  }
  return ms <= 0 || spans.length >= mostSpans ? spans : [...spans, { text, ms }]
}

/** Total: a step may begin in any state and go on after its end. An event that says nothing new leaves it as it is. */
export const stepAfter = (before: Step | undefined, event: StepEvent): Step => {
  const { atMs, detail = '', id, state, title } = event
  const end = isOver(state) ? { endMs: atMs } : {}
  if (before === undefined) return { id, title, state, detail, startMs: atMs, sinceMs: atMs, spans: [], ...end }
  if (before.state === state && before.detail === detail && before.title === title) return before
  const spans = isOver(before.state)
    ? before.spans
    : withSpan(before.spans, wordOf(before.state, before.detail), atMs - before.sinceMs)
  return { id, title, state, detail, startMs: before.startMs, sinceMs: atMs, spans, ...end }
}

/** What its time went into, with what it is busy with right now. */
export const spansAt = ({ detail, endMs, sinceMs, spans, state }: Step, nowMs: number): ReadonlyArray<Span> =>
  endMs === undefined ? withSpan(spans, wordOf(state, detail), nowMs - sinceMs) : spans

/** How long it has taken, or took. */
export const elapsedMs = ({ endMs, startMs }: Step, nowMs: number): number => Math.max(0, (endMs ?? nowMs) - startMs)

/** Neither over nor failed. */
export const isOpen = ({ state }: Step): boolean => !isOver(state)

/** How many of them are in a state. */
export const countOf = (steps: ReadonlyArray<Step>, state: StepState): number =>
  steps.filter((step) => step.state === state).length
