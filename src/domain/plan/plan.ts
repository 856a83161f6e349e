/**
 * What is to be done, as data: it can be printed, compared with a saved plan, or executed. The core never executes it.
 */
import type { Action } from './action.ts'

/** `actions` are in the order in which they are printed; an action may come before those it waits for. */
export type Plan = { readonly schema: 1; readonly environment: string; readonly actions: ReadonlyArray<Action> }
