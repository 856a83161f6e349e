/** What a command that takes its time tells while it runs. How it looks is decided by who shows it. */
import type { Diagnostic } from '../diagnostic/diagnostic.ts'

/** Waiting: for others. Held: it cannot go on by itself. */
export type StepState = 'Waiting' | 'Running' | 'Done' | 'Failed' | 'Skipped'

/**
 * Step: `id` is the same from the first to the last event of a step (a service, a command, a deletion); `detail` is the
 * state in words (`2 of 3 pods ready, pulling image`); `atMs` on the clock of the run. Said: a line about what was done.
 * Found: something to be told at once, not only at the end. Output: whole lines a user's command wrote.
 */
export type ProgressEvent =
  | {
      readonly _tag: 'Step'
      readonly id: string
      readonly title: string
      readonly state: StepState
      readonly detail?: string
      readonly atMs: number
    }
  | { readonly _tag: 'Said'; readonly text: string }
  | { readonly _tag: 'Found'; readonly diagnostic: Diagnostic }
  | { readonly _tag: 'Output'; readonly source: string; readonly text: string }
