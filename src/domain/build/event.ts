/** What a builder tells while it builds, in plain values. Events of one kind may come again with news of the same thing. */

/** Lines from 1. */
export type LineRange = { readonly start: number; readonly end: number }

/** Part of a file that the builder read; `file` as it names it (`Dockerfile`), `text` all of the file. */
export type SourcePart = {
  readonly file: string
  readonly text: string
  readonly ranges: ReadonlyArray<LineRange>
}

/**
 * Vertex: a step, known by its digest; moments in milliseconds since 1970 of the builder's clock. It may start and end more
 * than once. Transfer: bytes (or another amount) that something moves within a step. Log: text a step printed, whole lines
 * or not. Lint: what the frontend warns of. Sent: what went from this machine to the builder so far.
 */
export type BuildEvent =
  | {
      readonly _tag: 'Vertex'
      readonly digest: string
      readonly name: string
      readonly isCached: boolean
      readonly startedMs?: number
      readonly endedMs?: number
      readonly error?: string
    }
  | {
      readonly _tag: 'Transfer'
      readonly vertex: string
      readonly id: string
      readonly name: string
      readonly current: number
      readonly total: number
      readonly startedMs?: number
      readonly endedMs?: number
    }
  | { readonly _tag: 'Log'; readonly vertex: string; readonly isError: boolean; readonly text: string }
  | {
      readonly _tag: 'Lint'
      readonly text: string
      readonly details: ReadonlyArray<string>
      readonly url: string
      readonly source?: SourcePart
    }
  | { readonly _tag: 'Sent'; readonly served: string; readonly files: number; readonly bytes: number }
