/** The progress that a long-running command reports. The view decides how to show it. */
import type { Diagnostic } from '../diagnostic/diagnostic.ts'
import type { LineOf } from '../diagnostic/lines.ts'

/** Waiting: for other steps. Held: it cannot continue by itself. */
export type StepState = 'Waiting' | 'Running' | 'Done' | 'Failed' | 'Skipped'

/** The id of the step that stands for building an image: all vertices of that build belong to it. */
export const buildStep = (image: string): string => `build ${image}`

/**
 * A builder's progress with one image, in BuildKit's terms. Vertex: a part of the build (`[builder 3/7] RUN npm ci`),
 * identified by `vertex` (its digest). `number` counts vertices from 1 in the order they began; vertices outside the
 * Dockerfile have none. `ms`: the time the builder spent on it. Log: whole lines of output; `rest` is the incomplete
 * last line. Transfer: bytes moved so far, out of `total` if known. Lint: a warning about the Dockerfile, repeated at
 * the end.
 */
export type BuildProgressEvent = { readonly image: string; readonly atMs: number } & (
  | {
      readonly _tag: 'Vertex'
      readonly vertex: string
      readonly number?: number
      readonly name: string
      readonly state: StepState
      readonly isCached: boolean
      readonly detail: string
      readonly ms: number
    }
  | {
      readonly _tag: 'Log'
      readonly vertex: string
      readonly number?: number
      readonly lines: ReadonlyArray<string>
      readonly rest: string
    }
  | ({ readonly _tag: 'Transfer'; readonly vertex: string; readonly number?: number } & Moved)
  | { readonly _tag: 'Lint'; readonly diagnostic: Diagnostic }
)

/** In bytes; `perSecond` once it has lasted long enough to be known. */
export type Moved = {
  readonly bytes: number
  readonly total?: number
  readonly files?: number
  readonly perSecond?: number
}

/** How a run ended. `findings`: those that were printed, except those that are events. */
export type RunEnd = {
  readonly exitStatus: number
  readonly findings: ReadonlyArray<Diagnostic>
  readonly environment?: string
  readonly namespace?: string
  readonly endpoints?: ReadonlyArray<string>
}

/**
 * Step: `id` is the same for all events of a step (a service, a command, a deletion); `detail` is the state in words
 * (`2 of 3 pods ready, pulling image`); `phase` is the label under which time is added up when `detail` contains a
 * changing number; `atMs` is by the clock of the run. Said: a line about something that was done. Found: a finding to
 * show at once, not only at the end. Output: whole lines that a user's command printed. Ended: the last event of a run.
 */
export type ProgressEvent =
  | {
      readonly _tag: 'Step'
      readonly id: string
      readonly title: string
      readonly state: StepState
      readonly detail?: string
      readonly phase?: string
      readonly atMs: number
    }
  | BuildProgressEvent
  | { readonly _tag: 'Said'; readonly text: string }
  | { readonly _tag: 'Found'; readonly diagnostic: Diagnostic; readonly line?: LineOf | undefined }
  | { readonly _tag: 'Output'; readonly source: string; readonly text: string }
  | ({ readonly _tag: 'Ended' } & RunEnd)

/** Output that scrolls, as opposed to the live display. */
export type Scrolled = Extract<ProgressEvent, { readonly _tag: 'Said' | 'Found' | 'Output' }>
