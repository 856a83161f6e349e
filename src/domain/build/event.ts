/**
 * What a builder reports while it builds, as plain values. An event may be repeated with an update about the same
 * thing.
 */

/** Line numbers start at 1. */
export type LineRange = { readonly start: number; readonly end: number }

/** Part of a file that the builder read; `file` is the name it uses (`Dockerfile`), `text` the whole file. */
export type SourcePart = {
  readonly file: string
  readonly text: string
  readonly ranges: ReadonlyArray<LineRange>
}

/** A warning of the frontend about a file that it read. */
export type Lint = {
  readonly _tag: 'Lint'
  readonly text: string
  readonly details: ReadonlyArray<string>
  readonly url: string
  readonly source?: SourcePart
}

/**
 * Vertex: a step, identified by its digest; times are in milliseconds since 1970 by the builder's clock. It may start
 * and end more than once. Transfer: bytes (or another unit) moved within a step. Log: output of a step, in pieces that
 * need not be whole lines. Sent: bytes that this machine has sent to the builder so far.
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
  | Lint
  | { readonly _tag: 'Sent'; readonly served: string; readonly files: number; readonly bytes: number }
