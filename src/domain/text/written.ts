/** Values with the places that they were written at. */
import type { Span } from './source.ts'

/** Where something is written; `path` is its path in the document (`deploy.commands[0]`). */
export type Placed = { readonly at: Span; readonly path: string }

/** `also`: further places that say the same, or that helped to decide the value. */
export type Written<A> = Placed & { readonly value: A; readonly also?: ReadonlyArray<Span> }

/** `value` is absent for a bare name whose variable is not set. */
export type NamedValue = Placed & { readonly name: string; readonly value?: string }
