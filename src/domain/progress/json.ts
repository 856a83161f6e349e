/** A run as JSON lines, one a change. Keys may be added; `schema` changes when one gets another meaning. */

import { defined } from '../object/defined.ts'
import { printJsonLine } from '../print/json.ts'
import { harmless } from '../text/harmless.ts'
import type { BuildProgressEvent, Scrolled } from './event.ts'
import { elapsedMs, type ProgressStep, spansAt } from './step.ts'

/** What JSON lets through and a terminal obeys: direction marks and separators. C0 and C1 are escaped already. */
const UNSAFE = /[\p{Zl}\p{Zp}\p{Bidi_Control}\u206a-\u206f\ufeff]/gu

const safeLine = (value: Parameters<typeof printJsonLine>[0]): string =>
  printJsonLine(value).replace(UNSAFE, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)

const common = ({ detail, id, state, title }: ProgressStep) => ({
  id,
  title,
  state: state.toLowerCase(),
  ...(detail === '' ? {} : { detail }),
})

/** `elapsedMs` since the first event of the step. Ends with a newline, as all lines here do. */
export const stepJson = (step: ProgressStep, nowMs: number): string =>
  safeLine({ schema: 1, type: 'step', ...common(step), elapsedMs: Math.round(elapsedMs(step, nowMs)) })

/** A finding keeps the shape it has everywhere. */
export const scrolledJson = (event: Scrolled): string => {
  switch (event._tag) {
    case 'Said':
      return safeLine({ schema: 1, type: 'said', text: event.text })
    case 'Found':
      return safeLine({ schema: 1, type: 'found', diagnostic: event.diagnostic })
    case 'Output':
      return safeLine({ schema: 1, type: 'output', source: event.source, text: event.text })
  }
}

/**
 * `build`: a vertex in another state. `log`: whole lines. `transfer`: bytes so far. `lint`: advice on the Dockerfile.
 * `undefined` when there is nothing to tell yet.
 */
export const buildJson = (event: BuildProgressEvent): string | undefined => {
  const { image } = event
  if (event._tag === 'Lint') return safeLine({ schema: 1, type: 'lint', image, diagnostic: event.diagnostic })
  const of = { image, vertex: event.vertex, ...defined({ number: event.number }) }
  switch (event._tag) {
    case 'Vertex': {
      const { detail, isCached, ms, name, state } = event
      const words = { name, state: state.toLowerCase(), cached: isCached, ...(detail === '' ? {} : { detail }) }
      return safeLine({ schema: 1, type: 'build', ...of, ...words, ms: Math.round(ms) })
    }
    case 'Log': {
      const text = event.lines.map((line) => harmless(line, false)).join('\n')
      return event.lines.length === 0 ? undefined : safeLine({ schema: 1, type: 'log', ...of, text })
    }
    case 'Transfer': {
      const { bytes, files, perSecond, total } = event
      const rest = defined({ total, files })
      const rate = perSecond === undefined ? {} : { bytesPerSecond: Math.round(perSecond) }
      return safeLine({ schema: 1, type: 'transfer', ...of, bytes, ...rest, ...rate })
    }
  }
}

/** The end: `spans` are what the time of a step went into. */
export const durationsJson = (steps: ReadonlyArray<ProgressStep>, nowMs: number): string => {
  const rows = steps.map((step) => ({
    ...common(step),
    elapsedMs: Math.round(elapsedMs(step, nowMs)),
    spans: spansAt(step, nowMs).map(({ ms, text }) => ({ text, ms: Math.round(ms) })),
  }))
  return safeLine({ schema: 1, type: 'durations', steps: rows })
}
