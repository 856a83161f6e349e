import type { Span } from '../text/source.ts'

/** A key with its value, as labels, annotations and node selectors have them. */
export type Annotation = { readonly name: string; readonly value: string; readonly at: Span }
