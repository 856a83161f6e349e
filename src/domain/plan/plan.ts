/** What is to be done, as data: printed, compared with a kept file, or executed. The core never executes. */
import type { Action } from './action.ts'

/** `actions` are in the order they are printed; what an action waits for need not stand before it. */
export type Plan = { readonly schema: 1; readonly environment: string; readonly actions: ReadonlyArray<Action> }
