/** Values that know where they were written. */
import type { Span } from './source.ts'

/** A value and where it was written; `path` is its path in the document. */
export type Written<A> = { readonly value: A; readonly at: Span; readonly path: string }
