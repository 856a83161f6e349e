/** What a command that takes its time tells while it runs. How it looks is decided by who shows it. */
import type { Diagnostic } from '../diagnostic/diagnostic.ts'

/** Waiting: for others. Held: it cannot go on by itself. */
export type StepState = 'Waiting' | 'Running' | 'Done' | 'Failed' | 'Skipped'

/** The step that a build is: all vertices of the build of an image belong to it. */
export const buildStep = (image: string): string => `build ${image}`

/**
 * What a builder does for one image, in BuildKit's terms. Vertex: a part of the build (`[builder 3/7] RUN npm ci`), known by
 * `vertex` (its digest), with `number` from 1 in the order they began, or without one when it is not a line of the
 * Dockerfile; `ms` the builder spent on it. Log: whole lines it printed, and in `rest` what stands in a line that is not
 * complete yet. Transfer: bytes moved so far, of `total` where that is known. Lint: advice on the Dockerfile, which is
 * told again at the end.
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

/** Bytes; `perSecond` when it has gone on long enough to tell. */
export type Moved = {
  readonly bytes: number
  readonly total?: number
  readonly files?: number
  readonly perSecond?: number
}

/**
 * Step: `id` is the same from the first to the last event of a step (a service, a command, a deletion); `detail` is the
 * state in words (`2 of 3 pods ready, pulling image`); `phase` are the words its time is added up under where `detail`
 * counts on; `atMs` on the clock of the run. Said: a line about what was done. Found: something to be told at once, not
 * only at the end. Output: whole lines a user's command wrote.
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
  | { readonly _tag: 'Found'; readonly diagnostic: Diagnostic }
  | { readonly _tag: 'Output'; readonly source: string; readonly text: string }

/** What stays where it is printed. */
export type Scrolled = Extract<ProgressEvent, { readonly _tag: 'Said' | 'Found' | 'Output' }>
