/** A run as JSON lines, one a change. Keys may be added; `schema` changes when one gets another meaning. */
import { printJsonLine } from '../print/json.ts'
import type { ProgressEvent } from './event.ts'
import { elapsedMs, type Step, spansAt } from './step.ts'

/** What JSON lets through and a terminal obeys: direction marks and separators. C0 and C1 are escaped already. */
const UNSAFE = /[\p{Zl}\p{Zp}\p{Bidi_Control}\u206a-\u206f\ufeff]/gu

const safeLine = (value: Parameters<typeof printJsonLine>[0]): string =>
  printJsonLine(value).replace(UNSAFE, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)

const common = ({ detail, id, state, title }: Step) => ({
  id,
  title,
  state: state.toLowerCase(),
  ...(detail === '' ? {} : { detail }),
})

/** `elapsedMs` since the first event of the step. Ends with a newline, as all lines here do. */
export const stepJson = (step: Step, nowMs: number): string =>
  safeLine({ schema: 1, type: 'step', ...common(step), elapsedMs: Math.round(elapsedMs(step, nowMs)) })

/** A finding keeps the shape it has everywhere. */
export const scrolledJson = (event: Exclude<ProgressEvent, { readonly _tag: 'Step' }>): string => {
  switch (event._tag) {
    case 'Said':
      return safeLine({ schema: 1, type: 'said', text: event.text })
    case 'Found':
      return safeLine({ schema: 1, type: 'found', diagnostic: event.diagnostic })
    case 'Output':
      return safeLine({ schema: 1, type: 'output', source: event.source, text: event.text })
  }
}

/** The end: `spans` are what the time of a step went into. */
export const durationsJson = (steps: ReadonlyArray<Step>, nowMs: number): string => {
  const rows = steps.map((step) => ({
    ...common(step),
    elapsedMs: Math.round(elapsedMs(step, nowMs)),
    spans: spansAt(step, nowMs).map(({ ms, text }) => ({ text, ms: Math.round(ms) })),
  }))
  return safeLine({ schema: 1, type: 'durations', steps: rows })
}
