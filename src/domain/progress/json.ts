/** A run as JSON lines, one for each change. Keys may be added; `schema` changes when the meaning of one changes. */

import type { Severity } from '../diagnostic/diagnostic.ts'
import { defined } from '../object/defined.ts'
import type { DataOf } from '../print/document.ts'
import { printJsonLine } from '../print/json.ts'
import type { Value } from '../print/value.ts'
import { harmless } from '../text/harmless.ts'
import type {
  BuildLine,
  DurationsLine,
  EndLine,
  FoundLine,
  LintLine,
  LogLines,
  OutputLine,
  SaidLine,
  StepLine,
  TransferLine,
} from './documents.ts'
import type { BuildProgressEvent, RunEnd, Scrolled, StepState } from './event.ts'
import { countOf, elapsedMs, isOpen, type ProgressStep, spansAt } from './step.ts'

/** Ends with a newline. The codecs give only their types here: most runs print no JSON, and need not load them. */
const lineOf = <D>(data: DataOf<D> & { readonly [key: string]: Value | undefined }): string =>
  printJsonLine({ schema: 1, ...data })

const words = {
  Waiting: 'waiting',
  Running: 'running',
  Done: 'done',
  Failed: 'failed',
  Skipped: 'skipped',
} as const satisfies { readonly [S in StepState]: Lowercase<S> }

const unlessEmpty = (detail: string) => defined({ detail: detail === '' ? undefined : detail })

const common = (step: ProgressStep, nowMs: number) => ({
  id: step.id,
  title: step.title,
  state: words[step.state],
  ...unlessEmpty(step.detail),
  elapsedMs: Math.round(elapsedMs(step, nowMs)),
})

/** `elapsedMs` since the first event of the step. */
export const stepJson = (step: ProgressStep, nowMs: number): string =>
  lineOf<typeof StepLine>({ type: 'step', ...common(step, nowMs) })

/** A finding has the same shape as everywhere else. */
export const scrolledJson = (event: Scrolled): string => {
  switch (event._tag) {
    case 'Said':
      return lineOf<typeof SaidLine>({ type: 'said', text: event.text })
    case 'Found':
      return lineOf<typeof FoundLine>({ type: 'found', diagnostic: event.diagnostic })
    case 'Output':
      return lineOf<typeof OutputLine>({ type: 'output', source: event.source, text: event.text })
  }
}

/** `undefined` when there is nothing to report yet. */
export const buildJson = (event: BuildProgressEvent): string | undefined => {
  const { image } = event
  if (event._tag === 'Lint') return lineOf<typeof LintLine>({ type: 'lint', image, diagnostic: event.diagnostic })
  const of = { image, vertex: event.vertex, ...defined({ number: event.number }) }
  switch (event._tag) {
    case 'Vertex': {
      const { detail, isCached, ms, name, state } = event
      const is = { name, state: words[state], cached: isCached, ...unlessEmpty(detail), ms: Math.round(ms) }
      return lineOf<typeof BuildLine>({ type: 'build', ...of, ...is })
    }
    case 'Log': {
      const text = event.lines.map((line) => harmless(line, false)).join('\n')
      return event.lines.length === 0 ? undefined : lineOf<typeof LogLines>({ type: 'log', ...of, text })
    }
    case 'Transfer': {
      const { bytes, files, perSecond, total } = event
      const bytesPerSecond = perSecond === undefined ? undefined : Math.round(perSecond)
      return lineOf<typeof TransferLine>({
        type: 'transfer',
        ...of,
        bytes,
        ...defined({ total, files, bytesPerSecond }),
      })
    }
  }
}

/** The end of a run: `spans` are what each step spent its time on. */
export const durationsJson = (steps: ReadonlyArray<ProgressStep>, nowMs: number): string =>
  lineOf<typeof DurationsLine>({
    type: 'durations',
    steps: steps.map((step) => ({
      ...common(step, nowMs),
      spans: spansAt(step, nowMs).map(({ ms, text }) => ({ text, ms: Math.round(ms) })),
    })),
  })

/** SIGHUP, SIGINT and SIGTERM. */
const interruptions: ReadonlySet<number> = new Set([129, 130, 143])

const statusOf = (exitStatus: number) =>
  exitStatus === 0 ? 'succeeded' : interruptions.has(exitStatus) ? 'interrupted' : 'failed'

/** `steps` of the whole run, which began at `startMs`. */
export const endJson = (
  { endpoints = [], environment, exitStatus, findings, namespace }: RunEnd,
  steps: ReadonlyArray<ProgressStep>,
  { nowMs, startMs }: { readonly nowMs: number; readonly startMs: number },
): string => {
  const found = (severity: Severity): number => findings.filter((d) => d.severity === severity).length
  return lineOf<typeof EndLine>({
    type: 'end',
    status: statusOf(exitStatus),
    exitStatus,
    ms: Math.round(nowMs - startMs),
    durations: steps.map((step) => ({
      title: step.title,
      state: words[step.state],
      ms: Math.round(elapsedMs(step, nowMs)),
    })),
    steps: {
      done: countOf(steps, 'Done'),
      failed: countOf(steps, 'Failed'),
      skipped: countOf(steps, 'Skipped'),
      open: steps.filter(isOpen).length,
    },
    findings: { error: found('error'), warning: found('warning'), note: found('note') },
    endpoints,
    ...defined({ environment, namespace }),
  })
}
